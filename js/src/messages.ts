import type { TranslationBundle } from '@jupyterlab/translation';

import type { Problem } from './problem';
import { RECORDS } from './records';
import type { IAction, IMessage } from './status';

const INSTALL = 'pip install --upgrade dlperf_widgets';

/** What can be done about a problem. */
export interface IWaysOut {
  /** Starts a new kernel with the same scenario. */
  readonly again: () => void;
  /** Starts a new kernel with the explorer's own example. */
  readonly afresh: () => void;
  /** Starts another kernel. */
  readonly choose: (kernel: string) => void;
  /** The kernels that could be chosen: names with what people call them. */
  readonly kernels: readonly (readonly [string, string])[];
  /** What to do about a scenario that is refused, if not to start afresh. */
  readonly onRefused?: IAction;
}

/** A problem in words, with every way out of it. */
export function explain(
  problem: Problem,
  trans: TranslationBundle,
  ways: IWaysOut
): IMessage {
  const environment = ['no-kernel', 'no-package', 'old-package'];
  const kernels = {
    label: trans.__('Or choose another kernel:'),
    names: ways.kernels,
    run: ways.choose
  };
  return {
    ...describe(problem, trans),
    actions: [action(problem, trans, ways)],
    kernels: environment.includes(problem.kind) ? kernels : undefined
  };
}

function action(
  problem: Problem,
  trans: TranslationBundle,
  ways: IWaysOut
): IAction {
  switch (problem.kind) {
    case 'dead':
      return { label: trans.__('Restart the kernel'), run: ways.again };
    case 'refused':
      return (
        ways.onRefused ?? {
          label: trans.__("Open the explorer's own example"),
          run: ways.afresh
        }
      );
    default:
      return { label: trans.__('Try again'), run: ways.again };
  }
}

/** What to tell of a problem, without the ways out that are buttons. */
function describe(
  problem: Problem,
  trans: TranslationBundle
): Omit<IMessage, 'actions'> {
  const { detail } = problem;
  switch (problem.kind) {
    case 'no-kernel':
      return {
        text: detail
          ? trans.__('The kernel %1 could not be started.', detail)
          : trans.__('This server has no Python kernel.'),
        advice: trans.__(
          'Explorers compute in a Python kernel with dlperf_widgets.'
        )
      };
    case 'no-package':
      return {
        text: trans.__('dlperf_widgets is not installed in this kernel.'),
        detail,
        advice: trans.__(
          'Install it in the environment of the kernel, then try again:'
        ),
        command: INSTALL
      };
    case 'old-package':
      return {
        text: trans.__(
          'The dlperf_widgets in this kernel is older than this extension.'
        ),
        detail,
        advice: trans.__(
          'Update it in the environment of the kernel, then try again:'
        ),
        command: INSTALL
      };
    case 'no-widgets':
      return {
        text: trans.__("JupyterLab's widget manager does not answer."),
        detail,
        advice: trans.__(
          "Install or enable it in the server's environment, then reload the page:"
        ),
        command: 'pip install --upgrade jupyterlab_widgets'
      };
    case 'dead':
      return {
        text: trans.__('The kernel has stopped.'),
        advice: trans.__(
          'Your scenario is kept: restart the kernel to go on with it.'
        )
      };
    case 'refused':
      return {
        text: trans.__('This scenario cannot be shown.'),
        detail
      };
    case 'other':
      return { text: trans.__('The explorer could not be opened.'), detail };
  }
}

/** What to tell of versions that differ, and the command that cures it; null where they agree. */
export function versionNotice(
  inKernel: string,
  trans: TranslationBundle
): { readonly text: string; readonly command: string } | null {
  const own = RECORDS.version;
  if (inKernel === own) {
    return null;
  }
  return {
    text: trans.__(
      'This extension is version %1, but the kernel has dlperf_widgets %2. Install one version in both environments, and reload the page:',
      own,
      inKernel || '?'
    ),
    command: `pip install dlperf_widgets==${own}`
  };
}
