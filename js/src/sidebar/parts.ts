import { element } from '../dom';

/** A part of the sidebar that opens and closes. */
export function section(
  title: string,
  ...content: HTMLElement[]
): HTMLDetailsElement {
  const summary = element('summary', element('h2', title));
  const node = element('details', summary, ...content);
  node.className = 'dlp-Section';
  return node;
}

/** A field to search in; `run` is called with what is typed. */
export function searchField(
  label: string,
  run: (query: string) => void
): HTMLInputElement {
  const node = element('input');
  node.type = 'search';
  node.className = 'jp-mod-styled dlp-Search';
  node.placeholder = label;
  node.setAttribute('aria-label', label);
  node.addEventListener('input', () => run(node.value));
  return node;
}

/** A line that says how many of all are shown, and says it again when that changes. */
export function countLine(): HTMLElement {
  const node = element('p');
  node.className = 'dlp-Count';
  node.setAttribute('role', 'status');
  return node;
}
