import type { ICommMessage, IStart, Step, ToPage } from './messages';

/** A Python in a worker, from this page's side. */
export class Kernel {
  onComm: (message: ICommMessage, buffers: ArrayBuffer[]) => void = () =>
    undefined;

  /** `source` is the worker's script: a page from a disk may start none that lies beside it. */
  constructor(source: string, onStep: (step: Step) => void) {
    this._worker = new Worker(address(source), { type: 'module' });
    this._ready = new Promise((resolve, reject) => {
      this._worker.onerror = event =>
        reject(new Error(event.message || 'the worker was refused'));
      this._worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
        switch (data.kind) {
          case 'step':
            return onStep(data.step);
          case 'comm':
            return this.onComm(
              JSON.parse(data.message) as ICommMessage,
              data.buffers
            );
          case 'idle':
            return this._waiting.shift()?.();
          case 'ready':
            return resolve(data.model);
          case 'failed':
            return reject(new Error(data.reason));
          case 'trouble':
            return console.error(data.traceback);
        }
      };
    });
  }

  /** Start Python, and return the id of the widget that it shows. */
  start(asked: Omit<IStart, 'kind'>): Promise<string> {
    this._worker.postMessage({ kind: 'start', ...asked });
    return this._ready;
  }

  /** Tell Python something; `answered` is called when it has dealt with it. */
  send(
    message: ICommMessage,
    buffers: ArrayBuffer[],
    answered: () => void
  ): void {
    this._waiting.push(answered);
    this._worker.postMessage(
      { kind: 'comm', message: JSON.stringify(message), buffers },
      buffers
    );
  }

  stop(): void {
    this._worker.terminate();
  }

  private _worker: Worker;
  private _ready: Promise<string>;
  private _waiting: (() => void)[] = [];
}

/** A page from a disk or in a sandbox has no origin, and then a module may come from no Blob. */
function address(source: string): string {
  return self.origin === 'null'
    ? `data:text/javascript,${encodeURIComponent(source)}`
    : URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}
