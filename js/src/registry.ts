import { CommandToolbarButton, MainAreaWidget } from '@jupyterlab/apputils';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { ExplorerTab, IHome } from './home';
import { ExplorerPanel } from './panel';
import type { ISurroundings } from './surroundings';
import type { IExplorers, IStart } from './tokens';

/** The commands that every explorer has a button for, with the buttons' names. */
const BUTTONS = [
  ['insert', 'dlperf:insert-into-notebook'],
  ['python', 'dlperf:copy-python'],
  ['link', 'dlperf:copy-link'],
  ['save', 'dlperf:save-as-file']
] as const;

/** Every explorer panel of a page. */
export class Explorers implements IExplorers {
  constructor(
    app: JupyterFrontEnd,
    around: ISurroundings,
    readonly home: IHome
  ) {
    this._app = app;
    this._around = around;
    app.shell.currentChanged?.connect(() => this._changed.emit());
  }

  get trans(): TranslationBundle {
    return this._around.trans;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  create(start: IStart): ExplorerPanel {
    const panel = new ExplorerPanel(start, this._around);
    this._panels.add(panel);
    panel.liveChanged.connect(() => this._changed.emit());
    panel.disposed.connect(() => {
      this._panels.delete(panel);
      this._changed.emit();
    });
    return panel;
  }

  open(start: IStart): ExplorerTab | null {
    return this.home.open(start, () => this._tab(start));
  }

  find(id: unknown): ExplorerPanel | null {
    const panels = [...this._panels];
    if (typeof id === 'string') {
      return panels.find(panel => panel.id === id) ?? null;
    }
    const current = this._app.shell.currentWidget;
    return panels.find(panel => current?.contains(panel)) ?? null;
  }

  addButtons(
    tab: Parameters<IExplorers['addButtons']>[0],
    panel: ExplorerPanel,
    without: readonly string[] = []
  ): void {
    const { commands } = this._app;
    const useless = [...without, ...this.home.without];
    const offered = BUTTONS.filter(
      ([name, id]) => commands.hasCommand(id) && !useless.includes(name)
    );
    tab.toolbar.addClass('dlp-Toolbar');
    for (const [name, id] of offered) {
      const args = { panel: panel.id };
      tab.toolbar.addItem(
        name,
        new CommandToolbarButton({ commands, id, args })
      );
    }
  }

  private _tab(start: IStart): ExplorerTab {
    const { explorer } = start;
    const content = this.create(start);
    const tab = new MainAreaWidget({ content });
    // The same after the page is loaded again: the layout knows a tab by it.
    tab.id = content.path;
    tab.title.label = this.trans.__(explorer.title);
    tab.title.caption = this.trans.__(explorer.caption);
    tab.title.icon = explorer.icon;
    tab.title.closable = true;
    this.addButtons(tab, content);
    return tab;
  }

  private readonly _app: JupyterFrontEnd;
  private readonly _around: ISurroundings;
  private readonly _changed = new Signal<this, void>(this);
  private readonly _panels = new Set<ExplorerPanel>();
}
