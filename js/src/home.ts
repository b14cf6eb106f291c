import type { JupyterFrontEnd } from '@jupyterlab/application';
import { MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import { PageConfig, URLExt } from '@jupyterlab/coreutils';

import { linkTo } from './link-address';
import type { ExplorerPanel } from './panel';
import type { IStart } from './tokens';

/** An explorer with the buttons above it. */
export type ExplorerTab = MainAreaWidget<ExplorerPanel>;

/** Where an application shows explorers. */
export interface IHome {
  /** The page that links to explorers open. */
  readonly page: string;
  /** Whether the page's address goes on saying what it shows, after it has been opened. */
  readonly keepsAddress: boolean;
  /** The names of the buttons that can do nothing here. */
  readonly without: readonly string[];
  /** Resolves when an explorer that the address asks for can be opened. */
  readonly ready: Promise<unknown>;
  /** Shows what `make` makes of a start; null if that is on another page. */
  open(start: IStart, make: (start: IStart) => ExplorerTab): ExplorerTab | null;
}

/** JupyterLab: explorers are tabs among others, and the layout brings them back. */
export class LabHome implements IHome {
  constructor(
    private readonly _app: JupyterFrontEnd,
    private readonly _tracker: WidgetTracker<ExplorerTab>
  ) {}

  readonly page = URLExt.join(PageConfig.getBaseUrl(), 'lab');
  readonly keepsAddress = false;
  readonly without = [];

  get ready(): Promise<unknown> {
    return this._app.restored;
  }

  open(start: IStart, make: (start: IStart) => ExplorerTab): ExplorerTab {
    const tab = make(start);
    void this._tracker.add(tab);
    afterChanges(tab, () => void this._tracker.save(tab));
    this._app.shell.add(tab, 'main');
    return tab;
  }
}

/**
 * Jupyter Notebook: a page of the browser shows one thing, and whatever is opened gets a page of its own.
 *
 * The page for files, without a file, is empty: an explorer has all of it. The address says which one it is,
 * and in which session, so that a page that is loaded again shows the same.
 */
export class NotebookHome implements IHome {
  constructor(private readonly _app: JupyterFrontEnd) {}

  readonly page = URLExt.join(PageConfig.getBaseUrl(), 'edit');
  readonly keepsAddress = true;
  readonly without = ['insert']; // No notebook is ever on the page of an explorer.

  get ready(): Promise<unknown> {
    return this._app.started;
  }

  open(
    start: IStart,
    make: (start: IStart) => ExplorerTab
  ): ExplorerTab | null {
    const { explorer, state, defaults } = start;
    const { shell } = this._app;
    if (shell.currentWidget) {
      const linked = { slug: explorer.slug, state, gpu: defaults?.gpu };
      window.open(linkTo(this.page, linked), '_blank');
      return null;
    }
    const tab = make(start);
    shell.add(tab, 'main');
    document.title = tab.title.label;
    afterChanges(tab, () => {
      const { path: session, state } = tab.content;
      const linked = { slug: explorer.slug, state, session };
      history.replaceState(history.state, '', linkTo(this.page, linked));
    });
    return tab;
  }
}

/** Calls back a moment after the explorer's state has changed. */
function afterChanges(tab: ExplorerTab, run: () => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  tab.content.stateChanged.connect(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!tab.isDisposed) {
        run();
      }
    }, 300);
  });
}
