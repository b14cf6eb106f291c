import { Clipboard } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';

import { button, element } from './dom';

/** A remark above an explorer, which works all the same. */
export class Notice extends Widget {
  constructor(
    notice: { readonly text: string; readonly command: string },
    trans: TranslationBundle
  ) {
    super();
    this.addClass('dlp-Notice');
    this.node.setAttribute('role', 'status');
    const { text, command } = notice;
    this.node.append(
      element('span', text),
      element('code', command),
      button(trans.__('Copy'), () => Clipboard.copyToSystem(command)),
      button(trans.__('Dismiss'), () => this.dispose())
    );
  }
}
