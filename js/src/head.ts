import { Panel } from '@lumino/widgets';

import type { IExplorer } from './explorers';
import { Notice } from './notice';
import { StatusLine } from './status';
import type { ISurroundings } from './surroundings';
import { TeachingStrip } from './teaching';

/** What stands above an explorer: what it is for, remarks, and what is waited for or went wrong. */
export class PanelHead extends Panel {
  constructor(explorer: IExplorer, around: ISurroundings) {
    super();
    this._explorer = explorer;
    this._around = around;
    this.status = new StatusLine(around.trans.__('Copy'));
    this.addWidget(this.status);
    around.preferences?.changed.connect(this._teach, this);
    this._teach();
  }

  readonly status: StatusLine;

  /** Adds a remark, with the command that cures its cause. */
  remark(notice: { readonly text: string; readonly command: string }): void {
    this.insertWidget(0, new Notice(notice, this._around.trans));
  }

  /** Shows what the explorer is for, if the user wants to be taught. */
  private _teach(): void {
    const { preferences, trans, language, showTerm } = this._around;
    this._teaching?.dispose();
    this._teaching = preferences?.choices.teaching
      ? new TeachingStrip(this._explorer, trans, language, showTerm)
      : null;
    if (this._teaching) {
      this.insertWidget(0, this._teaching);
    }
  }

  private readonly _around: ISurroundings;
  private readonly _explorer: IExplorer;
  private _teaching: TeachingStrip | null = null;
}
