import type { TranslationBundle } from '@jupyterlab/translation';

import { button, element } from '../dom';
import { type ILesson, RECORDS } from '../records';
import { section } from './parts';

/** The lessons of the package, or the plain truth that there are none. */
export function lessonsSection(
  trans: TranslationBundle,
  open: (lesson: ILesson) => void
): HTMLDetailsElement {
  const items = RECORDS.lessons.map(lesson => {
    const node = button(lesson.title, () => open(lesson));
    node.className = 'dlp-Card';
    node.title = trans.__('Open a copy in the present folder');
    return element('li', node);
  });
  const content =
    items.length > 0
      ? element('ul', ...items)
      : element(
          'p',
          trans.__('This version of dlperf_widgets brings no lessons.')
        );
  return section(trans.__('Lessons'), content);
}
