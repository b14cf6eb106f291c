import type { ICallbacks, IClassicComm } from '@jupyter-widgets/base';
import type { JSONObject, JSONValue } from '@lumino/coreutils';

import type { ICommMessage } from './messages';

type Send = (
  message: ICommMessage,
  buffers: ArrayBuffer[],
  answered: () => void
) => void;
type Hear = (message: unknown) => void;

/** One widget's line to Python. What arrives before the widget listens is kept for it. */
export class Comm implements IClassicComm {
  readonly target_name = 'jupyter.widget';

  constructor(
    readonly comm_id: string,
    private post: Send
  ) {}

  open(): string {
    return '';
  }

  send(
    data: JSONValue,
    callbacks?: ICallbacks,
    metadata?: JSONObject,
    buffers: (ArrayBuffer | ArrayBufferView)[] = []
  ): string {
    const message: ICommMessage = {
      type: 'comm_msg',
      comm_id: this.comm_id,
      data: data as JSONObject,
      metadata: metadata ?? {}
    };
    this.post(message, buffers.map(copied), () => idle(callbacks));
    return '';
  }

  close(data: JSONValue = {}): string {
    const message: ICommMessage = {
      type: 'comm_close',
      comm_id: this.comm_id,
      data: data as JSONObject,
      metadata: {}
    };
    this.post(message, [], () => undefined);
    return '';
  }

  on_msg(hear: Hear): void {
    this._hear = hear;
    this._early.splice(0).forEach(hear);
  }

  on_close(hear: Hear): void {
    this._closed = hear;
  }

  /** Pass on what Python says. */
  deliver(message: ICommMessage, buffers: ArrayBuffer[]): void {
    const { data, metadata } = message;
    const said = {
      content: { comm_id: this.comm_id, data },
      metadata,
      buffers: buffers.map(each => new DataView(each))
    };
    if (message.type === 'comm_close') {
      this._closed?.(said);
    } else if (this._hear) {
      this._hear(said);
    } else {
      this._early.push(said);
    }
  }

  private _hear: Hear | undefined;
  private _closed: Hear | undefined;
  private _early: unknown[] = [];
}

/** Widgets hold further changes back until Python has dealt with the last. */
function idle(callbacks: ICallbacks | undefined): void {
  const status = callbacks?.iopub?.status as Hear | undefined;
  status?.({ content: { execution_state: 'idle' } });
}

function copied(buffer: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  return bytes.slice().buffer;
}
