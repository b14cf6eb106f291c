// Python in a worker: the page stays smooth while it starts and while it computes.

import { bytesOf, unzipped } from './bytes';
import type {
  ICommPost,
  IStart,
  PyodideFiles,
  ToPage,
  ToWorker
} from './messages';

interface IPyodide {
  unpackArchive(archive: Uint8Array, format: string): void;
  pyimport(name: string): Record<string, (...values: unknown[]) => unknown>;
}

interface ILoader {
  loadPyodide(options: Record<string, unknown>): Promise<IPyodide>;
}

/** Nothing is ever fetched from there: `fetch` is answered from what the page holds. */
const NOWHERE = 'https://pyodide.invalid/';

const tell = (message: ToPage, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

let hear: ((post: ICommPost) => void) | undefined;

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === 'comm') {
    hear?.(data);
  } else {
    start(data).catch((error: unknown) =>
      tell({ kind: 'failed', reason: lastLine(error) })
    );
  }
};

async function start(asked: IStart): Promise<void> {
  tell({ kind: 'step', step: 'unpacking' });
  const files = await unpacked(asked.pyodide);
  tell({ kind: 'step', step: 'python' });
  const python = await load(files);
  tell({ kind: 'step', step: 'opening' });
  python.unpackArchive(bytesOf(asked.sources), 'zip');
  const live = python.pyimport(asked.module);
  const post = (message: string, arrays: Uint8Array[]): void => {
    const buffers = arrays.map(each => each.slice().buffer);
    tell({ kind: 'comm', message, buffers }, buffers);
  };
  const model = live.start(post, asked.request) as string;
  hear = ({ message, buffers }) => {
    try {
      live.hear(message, buffers);
    } catch (error) {
      tell({ kind: 'trouble', traceback: String(error) });
    }
    tell({ kind: 'idle' });
  };
  tell({ kind: 'ready', model });
}

async function unpacked(
  files: PyodideFiles
): Promise<Map<string, ArrayBuffer>> {
  const each = Object.entries(files).map(
    async ([name, text]) => [name, await unzipped(text)] as const
  );
  return new Map(await Promise.all(each));
}

async function load(files: Map<string, ArrayBuffer>): Promise<IPyodide> {
  self.fetch = (asked: RequestInfo | URL): Promise<Response> => {
    const url = asked instanceof Request ? asked.url : String(asked);
    const body = files.get(url.split('/').pop() ?? '');
    const type = url.endsWith('.wasm') ? 'application/wasm' : '';
    const answer = body
      ? new Response(body, { headers: { 'content-type': type } })
      : new Response(null, { status: 404 });
    return Promise.resolve(answer);
  };
  const loader = await imported<ILoader>(files, 'pyodide.mjs');
  const runtime = await imported<{ default: unknown }>(
    files,
    'pyodide.asm.mjs'
  );
  return loader.loadPyodide({
    indexURL: NOWHERE,
    createPyodideModule: runtime.default,
    lockFileContents: new TextDecoder().decode(files.get('pyodide-lock.json')),
    packageBaseUrl: NOWHERE,
    // Widgets would send back what the page has just told them.
    env: { JUPYTER_WIDGETS_ECHO: '0', HOME: '/home/pyodide' }
  });
}

async function imported<T>(
  files: Map<string, ArrayBuffer>,
  name: string
): Promise<T> {
  const script = new Blob([files.get(name)!], { type: 'text/javascript' });
  const address = URL.createObjectURL(script);
  try {
    return (await import(address)) as T;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A Python error's text is its traceback, whose last line says what is wrong. */
function lastLine(error: unknown): string {
  console.error(error);
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').pop() ?? '';
}
