import { SessionContext } from '@jupyterlab/apputils';
import {
  type Kernel,
  KernelMessage,
  type ServiceManager
} from '@jupyterlab/services';

import { literal, VERSION_CODE } from './code';
import { Problem, problemIn } from './problem';

/** Where and as what a kernel runs: a page that is reloaded finds the session of its path again. */
export interface IPlace {
  readonly path: string;
  readonly name: string;
}

/** A session whose kernel ends with it. */
export function createSession(
  place: IPlace,
  services: ServiceManager.IManager
): SessionContext {
  return new SessionContext({
    sessionManager: services.sessions,
    specsManager: services.kernelspecs,
    kernelManager: services.kernels,
    ...place,
    type: 'console'
  });
}

/** Starts the session's kernel, or finds the one that a page before this has left running. */
export async function startKernel(
  session: SessionContext,
  services: ServiceManager.IManager,
  wanted: string
): Promise<Kernel.IKernelConnection> {
  await services.kernelspecs.ready;
  const specs = services.kernelspecs.specs;
  const name = wanted || specs?.default || '';
  if (!specs?.kernelspecs[name]) {
    throw new Problem('no-kernel', name && literal(name));
  }
  session.kernelPreference = {
    name,
    autoStartDefault: true,
    shutdownOnDispose: true
  };
  await session.initialize();
  const kernel = session.session?.kernel;
  if (!kernel) {
    throw new Problem('no-kernel', literal(name));
  }
  return kernel;
}

/** The names of the Python kernels that can be started here, with what people call them. */
export function pythonKernels(
  services: ServiceManager.IManager
): readonly (readonly [string, string])[] {
  return Object.values(services.kernelspecs.specs?.kernelspecs ?? {})
    .filter(spec => spec !== undefined)
    .filter(spec => spec.language.toLowerCase() === 'python')
    .map(spec => [spec.name, spec.display_name] as const);
}

/**
 * The version of the package in a kernel; a Problem where there is none.
 *
 * It is printed, because kernels that run in the browser evaluate no expressions for a front end.
 */
export async function packageVersion(
  kernel: Kernel.IKernelConnection
): Promise<string> {
  const future = kernel.requestExecute({
    code: VERSION_CODE,
    store_history: false
  });
  let printed = '';
  future.onIOPub = message => {
    if (KernelMessage.isStreamMsg(message)) {
      printed += message.content.name === 'stdout' ? message.content.text : '';
    }
  };
  const { content } = await future.done;
  if (content.status === 'error') {
    throw problemIn(content);
  }
  return printed.trim().split('\n').pop() ?? '';
}
