import { Notification } from '@jupyterlab/apputils';

/** Without a time a notification stays behind the bell in the status bar. */
const LONG = 10_000;
const SHORT = 2000;

/** Says that something did not work, and why. */
export function tellError(text: string): void {
  Notification.error(text, { autoClose: LONG });
}

/** Says that something is done. */
export function tellDone(text: string): void {
  Notification.success(text, { autoClose: SHORT });
}
