import type { ServiceManager } from '@jupyterlab/services';
import { KernelMessage } from '@jupyterlab/services';

import { literal } from './code';
import type { ILesson } from './records';

/**
 * The path of a copy of a lesson in a folder. A copy that is there already is the user's work, and stays.
 *
 * The package in a kernel has the lesson's text: this needs nothing of the server.
 */
export async function copyOfLesson(
  lesson: ILesson,
  folder: string,
  services: ServiceManager.IManager,
  kernelName: string
): Promise<string> {
  const path = folder ? `${folder}/${lesson.file}` : lesson.file;
  if (await exists(path, services)) {
    return path;
  }
  const content: unknown = JSON.parse(
    await lessonText(lesson, services, kernelName)
  );
  await services.contents.save(path, {
    type: 'notebook',
    format: 'json',
    content
  });
  return path;
}

async function exists(
  path: string,
  services: ServiceManager.IManager
): Promise<boolean> {
  const folder = path.split('/').slice(0, -1).join('/');
  const model = await services.contents.get(folder);
  return (model.content as { path: string }[]).some(file => file.path === path);
}

async function lessonText(
  lesson: ILesson,
  services: ServiceManager.IManager,
  kernelName: string
): Promise<string> {
  const name = kernelName || services.kernelspecs.specs?.default;
  const kernel = await services.kernels.startNew({ name });
  try {
    const future = kernel.requestExecute({ code: readingCode(lesson.file) });
    let text = '';
    let reason = '';
    future.onIOPub = message => {
      if (KernelMessage.isStreamMsg(message)) {
        text += message.content.text;
      } else if (KernelMessage.isErrorMsg(message)) {
        reason = `${message.content.ename}: ${message.content.evalue}`;
      }
    };
    await future.done;
    if (reason) {
      throw new Error(reason);
    }
    return text;
  } finally {
    await kernel.shutdown();
  }
}

function readingCode(file: string): string {
  return [
    'from dlperf_widgets.lessons import folder',
    `print((folder() / ${literal(file)}).read_text("utf-8"))`
  ].join('\n');
}
