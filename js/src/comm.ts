import { type Kernel, KernelMessage } from '@jupyterlab/services';
import { PromiseDelegate } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import { sameState } from './state';

interface IWidgetMessage {
  readonly method?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

/**
 * The synced traits of one explorer, read and written over its kernel's own messages.
 *
 * It asks nothing of a widget manager, so that a panel's and a notebook's explorer are the same to it.
 */
export class ExplorerLink implements IDisposable {
  constructor(kernel: Kernel.IKernelConnection, modelId: string) {
    this._kernel = kernel;
    this._modelId = modelId;
    kernel.iopubMessage.connect(this._onMessage, this);
    void this._send({ method: 'request_state' });
  }

  /** Resolves when the explorer has told its state. */
  get ready(): Promise<void> {
    return this._ready.promise;
  }

  /** Scenario and options as JSON text. */
  get state(): string {
    return this._state;
  }

  /** The present scenario as Python; empty where the package in the kernel does not say. */
  get python(): string {
    return this._python;
  }

  /** Emitted when the state says something else; the argument is whether this link has written it. */
  get changed(): ISignal<this, boolean> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Sets the explorer's state; resolves when its kernel has dealt with it. */
  async write(state: string): Promise<void> {
    this._writing += 1;
    try {
      await this._send({ method: 'update', state: { state } });
    } finally {
      this._writing -= 1;
    }
  }

  dispose(): void {
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private async _send(data: object): Promise<void> {
    const message = KernelMessage.createMessage({
      msgType: 'comm_msg',
      channel: 'shell',
      username: this._kernel.username,
      session: this._kernel.clientId,
      content: { comm_id: this._modelId, data: { buffer_paths: [], ...data } }
    });
    await this._kernel.sendShellMessage(message, false, true).done;
  }

  private _onMessage(
    _: Kernel.IKernelConnection,
    message: KernelMessage.IIOPubMessage
  ): void {
    if (
      !KernelMessage.isCommMsgMsg(message) ||
      message.content.comm_id !== this._modelId
    ) {
      return;
    }
    const { state } = message.content.data as IWidgetMessage;
    if (typeof state?.python === 'string') {
      this._python = state.python;
    }
    // An explorer that is being made has no state yet.
    if (typeof state?.state === 'string' && state.state !== '') {
      this._follow(state.state);
    }
  }

  private _follow(state: string): void {
    const before = this._state;
    this._state = state;
    this._ready.resolve();
    if (before !== '' && !sameState(before, state)) {
      this._changed.emit(this._writing > 0);
    }
  }

  private readonly _changed = new Signal<this, boolean>(this);
  private _isDisposed = false;
  private readonly _kernel: Kernel.IKernelConnection;
  private readonly _modelId: string;
  private _python = '';
  private readonly _ready = new PromiseDelegate<void>();
  private _state = '';
  private _writing = 0;
}
