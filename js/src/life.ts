import type { SessionContext } from '@jupyterlab/apputils';
import { OutputAreaModel, SimplifiedOutputArea } from '@jupyterlab/outputarea';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ServiceManager } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import { type IRequest, openCode } from './code';
import { ExplorerLink } from './comm';
import {
  createSession,
  type IPlace,
  packageVersion,
  startKernel
} from './kernel';
import { explorerModels } from './outputs';
import { Problem, problemIn } from './problem';
import { connectWidgets } from './widget-manager';

/** How long a widget manager may take to draw what the kernel has sent. */
const PATIENCE = 30_000;

/** What is being waited for. */
export type Stage = 'kernel' | 'explorer';

/** One kernel with one explorer, from the kernel's start to its end. */
export class ExplorerLife implements IDisposable {
  constructor(
    place: IPlace,
    services: ServiceManager.IManager,
    rendermime: IRenderMimeRegistry
  ) {
    this._services = services;
    // Cloned, because widgets are drawn by the manager of one kernel: each life has its own.
    this._rendermime = rendermime.clone();
    this._session = createSession(place, services);
    this.output = new SimplifiedOutputArea({
      model: new OutputAreaModel({ trusted: true }),
      rendermime: this._rendermime
    });
  }

  readonly output: SimplifiedOutputArea;

  /** The version of the package in the kernel, once that is known. */
  get version(): string {
    return this._version;
  }

  /** Emitted when the kernel has stopped, or was started anew without the explorer. */
  get ended(): ISignal<this, void> {
    return this._ended;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Shows an explorer; a Problem says why it cannot be. */
  async open(
    request: IRequest,
    kernelName: string,
    stage: (stage: Stage) => void
  ): Promise<ExplorerLink> {
    stage('kernel');
    this._started = startKernel(this._session, this._services, kernelName);
    const kernel = await this._started;
    stage('explorer');
    const died = new Promise<never>((_, reject) => {
      this._ended.connect(() => reject(new Problem('dead')));
    });
    died.catch(() => undefined); // Nobody waits for it once the explorer is there.
    this._watch();
    const link = await Promise.race([died, this._run(request)]);
    kernel.disposed.connect(() => link.dispose());
    return link;
  }

  /** Ends the kernel and waits until it has ended. */
  async end(): Promise<void> {
    await this._started?.catch(() => undefined);
    if (this._session.session) {
      await this._session.shutdown();
    }
    this.dispose();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._widgets?.dispose();
    this.output.dispose();
    // A session context that is disposed while its kernel is starting leaves the kernel running.
    void (this._started ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this._session.dispose());
    Signal.clearData(this);
  }

  private async _run(request: IRequest): Promise<ExplorerLink> {
    const kernel = this._session.session!.kernel!;
    const [version] = await Promise.all([
      packageVersion(kernel),
      this._connect()
    ]);
    this._version = version;
    const reply = await SimplifiedOutputArea.execute(
      openCode(request),
      this.output,
      this._session
    );
    if (reply?.content.status === 'error') {
      this.output.model.clear();
      throw problemIn(reply.content);
    }
    const [id] = explorerModels(this.output.model);
    if (reply?.content.status !== 'ok' || id === undefined) {
      throw new Problem('dead');
    }
    const link = new ExplorerLink(kernel, id);
    await Promise.all([link.ready, drawn(this.output.node)]);
    return link;
  }

  private async _connect(): Promise<void> {
    try {
      this._widgets = await connectWidgets(this._session, this._rendermime);
    } catch (error) {
      throw new Problem('no-widgets', String(error));
    }
  }

  private _watch(): void {
    const end = (): void => {
      if (!this._isDisposed) {
        this._ended.emit();
      }
    };
    this._session.statusChanged.connect((_, status) => {
      if (['dead', 'autorestarting', 'restarting'].includes(status)) {
        end();
      }
    });
    this._session.sessionChanged.connect((_, change) => {
      if (!change.newValue) {
        end();
      }
    });
  }

  private readonly _ended = new Signal<this, void>(this);
  private _isDisposed = false;
  private readonly _rendermime: IRenderMimeRegistry;
  private readonly _services: ServiceManager.IManager;
  private readonly _session: SessionContext;
  private _started: ReturnType<typeof startKernel> | undefined;
  private _version = '';
  private _widgets: IDisposable | undefined;
}

/** Resolves when an explorer is in the page. */
function drawn(node: HTMLElement): Promise<void> {
  const shown = (): boolean => node.querySelector('.dlp-explorer') !== null;
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      if (shown()) {
        finish(resolve);
      }
    });
    const late = setTimeout(
      () => finish(() => reject(new Problem('no-widgets'))),
      PATIENCE
    );
    const finish = (settle: () => void): void => {
      observer.disconnect();
      clearTimeout(late);
      settle();
    };
    observer.observe(node, {
      childList: true,
      subtree: true,
      attributes: true
    });
    if (shown()) {
      finish(resolve);
    }
  });
}
