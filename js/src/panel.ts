import { SessionContext } from '@jupyterlab/apputils';
import { OutputAreaModel, SimplifiedOutputArea } from '@jupyterlab/outputarea';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { KernelMessage, ServiceManager } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import { Panel } from '@lumino/widgets';

import type { IExplorer } from './explorers';
import { StatusLine } from './status';
import { connectWidgets } from './widget-manager';

/** A panel that starts a kernel, shows one explorer live in it, and ends the kernel when closed. */
export class ExplorerPanel extends Panel {
  constructor(
    explorer: IExplorer,
    services: ServiceManager.IManager,
    rendermime: IRenderMimeRegistry
  ) {
    super();
    this.addClass('dlp-ExplorerPanel');
    // Cloned, because widgets are drawn by the manager of one kernel: each panel has its own.
    this._rendermime = rendermime.clone();
    this._session = createSession(explorer, services);
    this._output = new SimplifiedOutputArea({
      model: new OutputAreaModel({ trusted: true }),
      rendermime: this._rendermime
    });
    this.addWidget(this._status);
    this.addWidget(this._output);
    this._kernelStarted = startKernel(this._session, services);
    void this._show(explorer);
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    super.dispose();
    // A session context that is disposed while its kernel is starting leaves the kernel running.
    void this._kernelStarted
      .catch(() => undefined)
      .then(() => this._session.dispose());
  }

  private async _show(explorer: IExplorer): Promise<void> {
    try {
      this._status.showText('Starting a Python kernel …');
      await this._kernelStarted;
      await this._runUnlessClosed(explorer);
    } catch (error) {
      // Closing the panel cancels what it waits for; that is no error, and nobody would see it.
      if (!this.isDisposed) {
        this._status.showError(
          error instanceof Error ? error.message : String(error)
        );
      }
    }
  }

  private async _runUnlessClosed(explorer: IExplorer): Promise<void> {
    if (this.isDisposed) {
      return;
    }
    this._status.showText(`Opening the ${explorer.label.toLowerCase()} …`);
    const widgets = await connectWidgets(this._session, this._rendermime);
    this.disposed.connect(() => widgets.dispose());
    const reply = await SimplifiedOutputArea.execute(
      displayCode(explorer),
      this._output,
      this._session
    );
    throwUnlessOk(reply);
    this._status.clear();
  }

  private readonly _kernelStarted: Promise<void>;
  private readonly _output: SimplifiedOutputArea;
  private readonly _rendermime: IRenderMimeRegistry;
  private readonly _session: SessionContext;
  private readonly _status = new StatusLine();
}

function createSession(
  explorer: IExplorer,
  services: ServiceManager.IManager
): SessionContext {
  return new SessionContext({
    sessionManager: services.sessions,
    specsManager: services.kernelspecs,
    kernelManager: services.kernels,
    path: `dlperf-explorer-${UUID.uuid4()}`,
    name: explorer.label,
    type: 'console'
  });
}

async function startKernel(
  session: SessionContext,
  services: ServiceManager.IManager
): Promise<void> {
  await services.kernelspecs.ready;
  session.kernelPreference = {
    name: services.kernelspecs.specs?.default ?? 'python3',
    autoStartDefault: true,
    shutdownOnDispose: true
  };
  await session.initialize();
  if (!session.session?.kernel) {
    throw new Error('No Python kernel could be started.');
  }
}

function displayCode(explorer: IExplorer): string {
  return `import dlperf_widgets as dp; display(dp.${explorer.className}())`;
}

function throwUnlessOk(
  reply: KernelMessage.IExecuteReplyMsg | undefined
): void {
  const content = reply?.content;
  if (content?.status === 'error') {
    throw new Error(`${content.ename}: ${content.evalue}`);
  }
  if (content?.status !== 'ok') {
    throw new Error('The kernel stopped before the explorer was shown.');
  }
}
