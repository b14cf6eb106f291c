import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';

import { Comm } from './comm';
import type { Kernel } from './kernel';
import type { ICommMessage } from './messages';

type Module = Record<string, unknown>;
type Opened = Parameters<ManagerBase['handle_comm_open']>[1];

/** Shows the widgets of a Python that runs in a worker. */
export class LiveManager extends ManagerBase {
  constructor(
    private kernel: Kernel,
    anywidget: Module
  ) {
    super();
    this._modules = {
      '@jupyter-widgets/base': base,
      '@jupyter-widgets/controls': controls,
      anywidget
    };
    kernel.onComm = (message, buffers) => this._hear(message, buffers);
  }

  /** Show a widget in an element. */
  async show(model_id: string, host: HTMLElement): Promise<void> {
    const view = await this.create_view(await this.get_model(model_id));
    const widget = view.luminoWidget;
    Widget.attach(widget, host);
    window.addEventListener('resize', () =>
      MessageLoop.postMessage(widget, Widget.ResizeMessage.UnknownSize)
    );
  }

  protected loadClass(className: string, moduleName: string): Promise<never> {
    const found = this._modules[moduleName]?.[className];
    return found
      ? Promise.resolve(found as never)
      : Promise.reject(
          new Error(`this page has no ${moduleName}.${className}`)
        );
  }

  _create_comm(): Promise<base.IClassicComm> {
    return Promise.reject(new Error('only Python makes widgets in this page'));
  }

  _get_comm_info(): Promise<Record<string, never>> {
    return Promise.resolve({});
  }

  private _hear(message: ICommMessage, buffers: ArrayBuffer[]): void {
    if (message.type !== 'comm_open') {
      this._comms.get(message.comm_id)?.deliver(message, buffers);
      if (message.type === 'comm_close') {
        this._comms.delete(message.comm_id);
      }
      return;
    }
    const comm = new Comm(message.comm_id, (...sent) =>
      this.kernel.send(...sent)
    );
    this._comms.set(message.comm_id, comm);
    const { data, metadata } = message;
    const opened: unknown = {
      content: { comm_id: message.comm_id, data },
      metadata,
      buffers: buffers.map(each => new DataView(each))
    };
    void this.handle_comm_open(comm, opened as Opened);
  }

  private _modules: Record<string, Module>;
  private _comms = new Map<string, Comm>();
}
