// What makes a picture be drawn again without a word from Python: its size, the screen, the theme.

/** Call back on each change until the returned function is called. */
export function watch(element: HTMLElement, changed: () => void): () => void {
  const sizes = new ResizeObserver(changed);
  sizes.observe(element);
  const forget = [watchScreen(changed), watchTheme(element, changed)];
  return () => {
    sizes.disconnect();
    forget.forEach(each => each());
  };
}

/** A window may move to a screen of another resolution at the same size. */
function watchScreen(changed: () => void): () => void {
  let query: MediaQueryList;
  const hear = (): void => {
    listen();
    changed();
  };
  const listen = (): void => {
    query?.removeEventListener('change', hear);
    query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', hear);
  };
  listen();
  return () => query.removeEventListener('change', hear);
}

/** However a page switches themes, the colours of this invisible element change, and a transition runs. */
function watchTheme(element: HTMLElement, changed: () => void): () => void {
  const probe = document.createElement('span');
  probe.className = 'dlp-tiles-probe';
  probe.ariaHidden = 'true';
  // A page that is hidden while it changes cancels the transition instead of ending it.
  for (const event of ['transitionrun', 'transitionend', 'transitioncancel']) {
    probe.addEventListener(event, changed);
  }
  element.append(probe);
  return () => probe.remove();
}
