import type { KernelMessage } from '@jupyterlab/services';

/** What can keep an explorer from being shown. */
export type ProblemKind =
  | 'no-kernel'
  | 'no-package'
  | 'old-package'
  | 'no-widgets'
  | 'dead'
  | 'refused'
  | 'other';

/** Why an explorer cannot be shown: `kind` decides what to do about it, `detail` is in its cause's words. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly detail = ''
  ) {
    super(detail || kind);
  }
}

/** The problem that an error in the kernel stands for. */
export function problemIn(error: KernelMessage.IReplyErrorContent): Problem {
  const { ename, evalue } = error;
  if (ename === 'ModuleNotFoundError' && /'dlperf_widgets'/.test(evalue)) {
    return new Problem('no-package', `${ename}: ${evalue}`);
  }
  if (ename === 'ImportError' && /dlperf_widgets/.test(evalue)) {
    return new Problem('old-package', `${ename}: ${evalue}`);
  }
  if (ename === 'ValueError') {
    return new Problem('refused', evalue);
  }
  return new Problem('other', `${ename}: ${evalue}`);
}

/** Any error as a problem. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem(
        'other',
        error instanceof Error ? error.message : String(error)
      );
}
