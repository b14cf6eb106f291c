export const KEY = 'dlperf-theme';

/** A button between the light and the dark look; the browser keeps what was chosen. */
export function themeButton(button: HTMLButtonElement): void {
  const root = document.documentElement;
  const say = (): void =>
    button.setAttribute('aria-pressed', String(root.dataset.theme === 'dark'));
  button.hidden = false;
  button.onclick = () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    say();
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // A page in a sandbox may keep nothing.
    }
  };
  say();
}
