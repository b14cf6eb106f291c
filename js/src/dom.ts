/** A new element with children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}

/** A button in the style of JupyterLab. */
export function button(label: string, run: () => void): HTMLButtonElement {
  const node = element('button', label);
  node.type = 'button';
  node.className = 'jp-mod-styled dlp-Button';
  node.addEventListener('click', run);
  return node;
}

/** A link to a public page, which opens in a tab of its own. */
export function link(text: string, address: string): HTMLAnchorElement {
  const node = element('a', text);
  node.href = address;
  node.target = '_blank';
  node.rel = 'noopener';
  return node;
}
