import type { TranslationBundle } from '@jupyterlab/translation';

import { button, element, link } from '../dom';
import { findExplorer, type IExplorer } from '../explorers';
import { type ITerm, RECORDS } from '../records';
import { matches } from '../search';
import { inLanguage } from '../terms';
import { countLine, searchField, section } from './parts';

/** The terms of the guides in English and Chinese, each with the explorer that shows it. */
export class Glossary {
  constructor(
    private readonly _trans: TranslationBundle,
    private readonly _language: string,
    private readonly _open: (explorer: IExplorer) => void
  ) {
    this._search = searchField(_trans.__('Search terms'), query =>
      this._render(query)
    );
    this._list.className = 'dlp-Terms';
    this.node = section(
      _trans.__('Glossary'),
      this._search,
      this._count,
      this._list
    );
    this._render('');
  }

  readonly node: HTMLDetailsElement;

  /** Brings a term into view. */
  show(name: string): void {
    this.node.open = true;
    this._search.value = '';
    this._render('');
    const at = RECORDS.terms.findIndex(term => term.name === name);
    const item = this._list.children[at];
    if (item instanceof HTMLElement) {
      item.tabIndex = -1;
      item.focus();
      item.scrollIntoView({ block: 'center' });
    }
  }

  private _render(query: string): void {
    const shown = RECORDS.terms.filter(term =>
      matches(query, term.name, term.zh, term.meaning, term.meaning_zh)
    );
    this._count.textContent = this._trans.__(
      '%1 of %2',
      shown.length,
      RECORDS.terms.length
    );
    this._list.replaceChildren(...shown.map(term => this._item(term)));
  }

  private _item(term: ITerm): HTMLElement {
    const { name, other, meaning } = inLanguage(term, this._language);
    const also = element('span', other);
    also.lang = name === term.zh ? 'en' : 'zh';
    const explorer = findExplorer(term.explorer);
    const links = element('p', link(term.source.title, term.source.address));
    if (explorer) {
      const title = this._trans.__(explorer.title);
      links.prepend(
        button(this._trans.__('Show in: %1', title), () =>
          this._open(explorer)
        ),
        ' '
      );
    }
    return element(
      'li',
      element('h3', name, ' ', also),
      element('p', meaning),
      links
    );
  }

  private readonly _count = countLine();
  private readonly _list = element('ul');
  private readonly _search: HTMLInputElement;
}
