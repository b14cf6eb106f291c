/** Tell a page around this one how high this one is, now and whenever that changes. */
export function tellHeight(element: HTMLElement): void {
  if (window.parent === window) {
    return;
  }
  document.documentElement.dataset.framed = '';
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().bottom + scrollY);
    if (height !== told) {
      told = height;
      window.parent.postMessage({ type: 'dlperf-height', height }, '*');
    }
  }).observe(element);
}
