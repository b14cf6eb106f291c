import {
  ABCWidgetFactory,
  type DocumentRegistry,
  DocumentWidget
} from '@jupyterlab/docregistry';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import { Panel } from '@lumino/widgets';

import { findExplorer } from './explorers';
import { layerIcon } from './icons';
import type { ExplorerPanel } from './panel';
import {
  NotAScenario,
  readScenarioFile,
  writeScenarioFile
} from './scenario-file';
import { explorerOf, sameState } from './state';
import { StatusLine } from './status';
import type { IExplorers } from './tokens';

/** Opens a scenario file in its explorer. */
export class ScenarioFactory extends ABCWidgetFactory<
  DocumentWidget<ScenarioView>
> {
  constructor(
    options: DocumentRegistry.IWidgetFactoryOptions<
      DocumentWidget<ScenarioView>
    >,
    private readonly _explorers: IExplorers,
    private readonly _commands: CommandRegistry
  ) {
    super(options);
  }

  protected createNewWidget(
    context: DocumentRegistry.Context
  ): DocumentWidget<ScenarioView> {
    const content = new ScenarioView(context, this._explorers, this._commands);
    const widget = new DocumentWidget({ content, context });
    widget.title.icon = layerIcon;
    content.shown = panel =>
      this._explorers.addButtons(widget, panel, ['save']);
    return widget;
  }
}

/** A scenario file as its explorer; or, if it is none, the reason: the file stays as it is. */
export class ScenarioView extends Panel {
  constructor(
    private readonly _context: DocumentRegistry.Context,
    private readonly _explorers: IExplorers,
    private readonly _commands: CommandRegistry
  ) {
    super();
    this.addClass('dlp-ScenarioView');
    this._status = new StatusLine(this._trans.__('Copy'));
    this.addWidget(this._status);
    this.node.addEventListener('keydown', event => this._saveOn(event), true);
    void _context.ready.then(() => {
      if (this.isDisposed) {
        return; // Jupyter Notebook opens it again, on a page of its own.
      }
      this._read();
      _context.model.contentChanged.connect(this._read, this);
    });
  }

  /** Called with the panel of an explorer that comes to be shown. */
  shown: (panel: ExplorerPanel) => void = () => undefined;

  /** Shows what the file says, when it is opened and when it changes other than by the explorer. */
  private _read(): void {
    if (this._writing || this.isDisposed) {
      return;
    }
    try {
      const state = readScenarioFile(this._context.model.toString());
      this._show(state);
    } catch (error) {
      this._refuse(error as NotAScenario);
    }
  }

  private _show(state: string): void {
    const slug = explorerOf(state);
    const explorer = findExplorer(slug);
    if (!explorer) {
      throw new NotAScenario('unknown', slug);
    }
    this._status.clear();
    if (this._panel?.explorer === explorer) {
      if (!sameState(this._panel.state, state)) {
        void this._panel.write(state);
      }
      return;
    }
    this._panel?.dispose();
    this._panel = this._explorers.create({
      explorer,
      state,
      path: `dlperf-explorer/${this._context.path}`,
      overrides: true,
      onRefused: this._asText
    });
    this._panel.edited.connect(this._write, this);
    this.addWidget(this._panel);
    this.shown(this._panel);
  }

  private _write(panel: ExplorerPanel): void {
    this._writing = true;
    this._context.model.fromString(writeScenarioFile(panel.state));
    this._context.model.dirty = true;
    this._writing = false;
  }

  private _refuse(error: NotAScenario): void {
    this._panel?.dispose();
    this._panel = null;
    this._status.showProblem({
      text: whatIsWrong(error, this._trans),
      detail: error.detail,
      advice: this._trans.__('The file stays as it is.'),
      actions: [this._asText]
    });
  }

  /** JupyterLab hears no shortcut while the focus is in a widget. */
  private _saveOn(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      void this._commands.execute('docmanager:save');
    }
  }

  private get _asText(): { label: string; run: () => void } {
    const label = this._trans.__('Open it in the text editor');
    const args = { path: this._context.path, factory: 'Editor' };
    const run = (): void =>
      void this._commands.execute('docmanager:open', args);
    return { label, run };
  }

  private get _trans(): TranslationBundle {
    return this._explorers.trans;
  }

  private _panel: ExplorerPanel | null = null;
  private readonly _status: StatusLine;
  private _writing = false;
}

function whatIsWrong(error: NotAScenario, trans: TranslationBundle): string {
  switch (error.kind) {
    case 'large':
      return trans.__('This file is too large to be a scenario.');
    case 'json':
      return trans.__('This file is damaged: it is not JSON.');
    case 'foreign':
      return trans.__('This file holds no scenario of an explorer.');
    case 'version':
      return trans.__('This file is of a version that cannot be read here.');
    default:
      return trans.__('This file says something that is unknown here.');
  }
}
