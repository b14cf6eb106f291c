import { SessionContext } from '@jupyterlab/apputils';
import type { Kernel, ServiceManager } from '@jupyterlab/services';

import { literal, VERSION_EXPRESSION } from './code';
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

/** The version of the package in a kernel; a Problem where there is none. */
export async function packageVersion(
  kernel: Kernel.IKernelConnection
): Promise<string> {
  const reply = await kernel.requestExecute({
    code: '',
    silent: true,
    user_expressions: { version: VERSION_EXPRESSION }
  }).done;
  const content = reply.content;
  const value = (
    content.status === 'ok' ? content.user_expressions.version : undefined
  ) as { status: string; data?: Record<string, string> } | undefined;
  if (value?.status === 'error') {
    throw problemIn(value as unknown as Parameters<typeof problemIn>[0]);
  }
  return (value?.data?.['text/plain'] ?? '').replace(/'/g, '');
}
