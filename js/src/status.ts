import { Clipboard } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';

import { button, element } from './dom';

/** Something a person can do about a problem. */
export interface IAction {
  readonly label: string;
  readonly run: () => void;
}

/** What went wrong, in words, and every way out. */
export interface IMessage {
  readonly text: string;
  /** In the words of whatever failed. */
  readonly detail?: string;
  /** What to do besides the actions. */
  readonly advice?: string;
  /** A command for a terminal, with a button that copies it. */
  readonly command?: string;
  readonly actions: readonly IAction[];
  /** A picker of kernels: names with what people call them. */
  readonly kernels?: {
    readonly label: string;
    readonly names: readonly (readonly [string, string])[];
    readonly run: (name: string) => void;
  };
}

/** Says what a panel is waiting for, or what went wrong and what to do about it. */
export class StatusLine extends Widget {
  constructor(private readonly _copyLabel: string) {
    super();
    this.addClass('dlp-Status');
    this.node.setAttribute('role', 'status');
  }

  showProgress(text: string): void {
    this._replace('dlp-mod-busy', element('span', text));
  }

  clear(): void {
    this._replace('');
  }

  showProblem(message: IMessage): void {
    const { text, detail, advice, command, actions, kernels } = message;
    this._replace(
      'dlp-mod-error',
      element('p', text),
      ...(detail ? [element('pre', detail)] : []),
      ...(advice ? [element('p', advice)] : []),
      ...(command ? [this._command(command)] : []),
      ...(kernels && kernels.names.length > 0 ? [picker(kernels)] : []),
      element('p', ...actions.map(({ label, run }) => button(label, run)))
    );
  }

  private _command(command: string): HTMLElement {
    const copy = button(this._copyLabel, () => Clipboard.copyToSystem(command));
    return element('p', element('code', command), ' ', copy);
  }

  private _replace(state: string, ...content: HTMLElement[]): void {
    this.toggleClass('dlp-mod-busy', state === 'dlp-mod-busy');
    this.toggleClass('dlp-mod-error', state === 'dlp-mod-error');
    this.node.replaceChildren(...content);
  }
}

function picker(kernels: NonNullable<IMessage['kernels']>): HTMLElement {
  const select = element(
    'select',
    ...[['', '…'] as const, ...kernels.names].map(([name, title]) => {
      const option = element('option', title);
      option.value = name;
      return option;
    })
  );
  select.className = 'jp-mod-styled';
  select.addEventListener('change', () => kernels.run(select.value));
  return element('p', element('label', `${kernels.label} `, select));
}
