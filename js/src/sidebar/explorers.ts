import type { TranslationBundle } from '@jupyterlab/translation';

import { button, element } from '../dom';
import { EXPLORERS, type IExplorer } from '../explorers';
import { section } from './parts';

/** Every explorer, with what it is for. */
export function explorersSection(
  trans: TranslationBundle,
  open: (explorer: IExplorer) => void
): HTMLDetailsElement {
  const items = EXPLORERS.map(explorer => {
    const node = button('', () => open(explorer));
    node.className = 'dlp-Card';
    node.title = trans.__(explorer.caption);
    node.append(
      explorer.icon.element({ tag: 'span', elementSize: 'normal' }),
      element('span', trans.__(explorer.title))
    );
    return element('li', node);
  });
  const node = section(trans.__('Explorers'), element('ul', ...items));
  node.open = true;
  return node;
}
