import { UUID } from '@lumino/coreutils';
import { type ISignal, Signal } from '@lumino/signaling';
import { Panel } from '@lumino/widgets';

import type { ExplorerLink } from './comm';
import type { IExplorer } from './explorers';
import { PanelHead } from './head';
import { pythonKernels } from './kernel';
import { ExplorerLife } from './life';
import { explain, versionNotice } from './messages';
import { asProblem, Problem } from './problem';
import { RECORDS } from './records';
import { sameState, withDefaults } from './state';
import type { ISurroundings } from './surroundings';
import { type IStart, NO_CHOICES } from './tokens';

/** A panel that shows one explorer live in a kernel of its own, and ends the kernel when closed. */
export class ExplorerPanel extends Panel {
  constructor(start: IStart, around: ISurroundings) {
    super();
    this.id = `dlperf-panel-${UUID.uuid4()}`;
    this.addClass('dlp-ExplorerPanel');
    this._start = start;
    this._around = around;
    this._state = start.state ?? '';
    this.path = start.path ?? `dlperf-explorer-${UUID.uuid4()}`;
    this._head = new PanelHead(start.explorer, around);
    this.addWidget(this._head);
    around.preferences?.changed.connect(this._prefer, this);
    void this._open(start.overrides ?? false);
  }

  /** The path of the kernel's session. */
  readonly path: string;

  get explorer(): IExplorer {
    return this._start.explorer;
  }

  /** Scenario and options as JSON text: the last that was known, also without a kernel. */
  get state(): string {
    return this._state;
  }

  /** The present scenario as Python; empty where there is none. */
  get python(): string {
    return this._link?.python ?? '';
  }

  /** Whether an explorer is shown. */
  get isLive(): boolean {
    return this._link !== null;
  }

  /** Emitted when the state has changed. */
  get stateChanged(): ISignal<this, void> {
    return this._stateChanged;
  }

  /** Emitted when the state has changed by other hands than the front end's own. */
  get edited(): ISignal<this, void> {
    return this._edited;
  }

  /** Emitted when an explorer is shown, or no longer. */
  get liveChanged(): ISignal<this, void> {
    return this._liveChanged;
  }

  /** Resolves when the explorer, if there is one, has taken a state. */
  async write(state: string): Promise<void> {
    this._state = state;
    this._untouched = false;
    await this._link?.write(state);
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._link?.dispose();
    this._life?.dispose();
    super.dispose();
    Signal.clearData(this);
  }

  /** Shows the explorer in a new kernel. A state in the file or in hand wins over anything older. */
  private async _reopen(kernel?: string): Promise<void> {
    this._kernel = kernel ?? this._kernel;
    const before = this._life;
    this._life = null;
    this._setLink(null);
    this._head.status.showProgress(
      this._around.trans.__('Ending the old kernel …')
    );
    // A kernel that is gone already cannot be ended, and need not be.
    await before?.end().catch(() => before.dispose());
    await this._open(true);
  }

  private async _open(overrides: boolean): Promise<void> {
    if (this.isDisposed) {
      return;
    }
    const { services, rendermime } = this._around;
    const place = { path: this.path, name: this.explorer.title };
    const life = new ExplorerLife(place, services, rendermime);
    this._life = life;
    life.ended.connect(() => this._fail(life, new Problem('dead')));
    this.addWidget(life.output);
    try {
      const link = await this._ask(life, overrides);
      if (this._life === life && !this.isDisposed) {
        await this._goLive(life, link);
      }
    } catch (error) {
      this._fail(life, asProblem(error));
    }
  }

  private _ask(life: ExplorerLife, overrides: boolean): Promise<ExplorerLink> {
    const { trans, language, preferences } = this._around;
    const title = trans.__(this.explorer.title);
    const request = {
      slug: this.explorer.slug,
      state: this._state,
      overrides,
      language: RECORDS.languages.includes(language) ? language : ''
    };
    const kernel = this._kernel || (preferences?.choices.kernel ?? '');
    return life.open(request, kernel, stage =>
      this._head.status.showProgress(
        stage === 'kernel'
          ? trans.__('Starting a Python kernel …')
          : trans.__('Opening: %1 …', title)
      )
    );
  }

  private async _goLive(life: ExplorerLife, link: ExplorerLink): Promise<void> {
    this._untouched = this._state === '' || this._untouched;
    this._state = link.state; // Before anyone hears of the link: there is something to copy and to save.
    this._setLink(link);
    link.changed.connect(this._follow, this);
    this._head.status.clear();
    const notice = versionNotice(life.version, this._around.trans);
    if (notice) {
      this._head.remark(notice);
    }
    if (this._untouched) {
      await this._applyDefaults();
    }
    this._settle(link.state);
  }

  /** A panel that nobody has touched follows the user's defaults, also when these change. */
  private async _applyDefaults(): Promise<void> {
    const link = this._link;
    const choices = this._around.preferences?.choices ?? NO_CHOICES;
    const wanted =
      link && withDefaults(link.state, { ...choices, ...this._start.defaults });
    if (wanted && !sameState(wanted, link.state)) {
      await link.write(wanted);
    }
  }

  private _prefer(): void {
    if (this._link && this._untouched) {
      void this._applyDefaults();
    }
  }

  private _follow(link: ExplorerLink, own: boolean): void {
    this._untouched &&= own;
    this._settle(link.state);
    if (!own) {
      this._edited.emit();
    }
  }

  private _settle(state: string): void {
    this._state = state;
    this._stateChanged.emit();
  }

  private _setLink(link: ExplorerLink | null): void {
    this._link?.dispose();
    this._link = link;
    this._liveChanged.emit();
  }

  private _fail(life: ExplorerLife, problem: Problem): void {
    // Closing the panel cancels what it waits for; that is no error, and nobody would see it.
    if (this.isDisposed || this._life !== life) {
      return;
    }
    this._setLink(null);
    life.output.hide();
    const { trans, services } = this._around;
    const message = explain(problem, trans, {
      again: () => void this._reopen(),
      afresh: () => {
        this._state = '';
        void this._reopen();
      },
      choose: kernel => void this._reopen(kernel),
      kernels: pythonKernels(services),
      onRefused: this._start.onRefused
    });
    this._head.status.showProblem(message);
  }

  private readonly _around: ISurroundings;
  private readonly _edited = new Signal<this, void>(this);
  private readonly _head: PanelHead;
  private _kernel = '';
  private _life: ExplorerLife | null = null;
  private _link: ExplorerLink | null = null;
  private readonly _liveChanged = new Signal<this, void>(this);
  private readonly _start: IStart;
  private _state: string;
  private readonly _stateChanged = new Signal<this, void>(this);
  private _untouched = false;
}
