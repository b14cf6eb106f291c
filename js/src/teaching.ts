import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';

import { button, element } from './dom';
import type { IExplorer } from './explorers';
import { RECORDS } from './records';
import { inLanguage } from './terms';

/** What an explorer is for, and the terms it explains: each opens the glossary. */
export class TeachingStrip extends Widget {
  constructor(
    explorer: IExplorer,
    trans: TranslationBundle,
    language: string,
    show: (term: string) => void
  ) {
    super();
    this.addClass('dlp-Teaching');
    this.node.setAttribute('role', 'note');
    this.node.setAttribute('aria-label', trans.__('About this explorer'));
    const terms = RECORDS.terms.filter(term => term.explorer === explorer.slug);
    this.node.append(
      element('p', trans.__(explorer.caption)),
      ...terms.map(term => {
        const { name, meaning } = inLanguage(term, language);
        const node = button(name, () => show(term.name));
        node.title = meaning;
        return node;
      })
    );
  }
}
