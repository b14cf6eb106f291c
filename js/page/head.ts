// Before anything is drawn: the look that was chosen here, else the one that the system asks for.

import { KEY } from './theme';

let chosen: string | null = null;
try {
  chosen = localStorage.getItem(KEY);
} catch {
  // A page in a sandbox may keep nothing.
}
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset.theme = chosen ?? (dark ? 'dark' : 'light');
