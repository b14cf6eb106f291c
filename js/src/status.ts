import { Widget } from '@lumino/widgets';

const INSTALL_COMMAND = 'pip install --upgrade dlperf_widgets';

/** One line that says what a panel is waiting for, or what went wrong and what to do about it. */
export class StatusLine extends Widget {
  constructor() {
    super();
    this.addClass('dlp-ExplorerPanel-status');
    this.node.setAttribute('role', 'status');
  }

  showText(text: string): void {
    this.removeClass('dlp-mod-error');
    this.node.textContent = text;
  }

  clear(): void {
    this.showText('');
  }

  /** Shows an error, and the command for its likeliest cause: a kernel without the package. */
  showError(message: string): void {
    this.addClass('dlp-mod-error');
    this.node.replaceChildren(
      'The explorer could not be opened:',
      preformatted(message),
      'If the package is missing or old in the environment of the kernel, install it there and open the explorer again:',
      preformatted(INSTALL_COMMAND)
    );
  }
}

function preformatted(text: string): HTMLPreElement {
  const node = document.createElement('pre');
  node.textContent = text;
  return node;
}
