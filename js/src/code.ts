/** What a panel asks its kernel to show. */
export interface IRequest {
  /** The explorer's name in commands and states. */
  readonly slug: string;
  /** What it starts with; empty for the explorer's own example. */
  readonly state: string;
  /** Whether the state wins over an explorer that this kernel shows already. */
  readonly overrides: boolean;
  /** A language of the Python package, or empty for its own. */
  readonly language: string;
}

/** The Python that prints the version of the package in a kernel. */
export const VERSION_CODE =
  'import dlperf_widgets\nprint(dlperf_widgets.__version__)';

/** The name that the explorer has in its kernel: a page that is reloaded finds it again. */
const NAME = '_dlperf';

/** The Python that shows an explorer, with a sentence of its own for a state that it refuses. */
export function openCode(request: IRequest): string {
  const { slug, state, overrides, language } = request;
  const check = `    if ${NAME}.message: raise ValueError(${NAME}.message)`;
  return [
    'import dlperf_widgets as dp',
    ...(language ? [`dp.set_language(${literal(language)})`] : []),
    'from dlperf_widgets.apps import open_explorer',
    `if getattr(globals().get("${NAME}"), "slug", None) != ${literal(slug)}:`,
    `    ${NAME} = open_explorer(${literal(state || slug)})`,
    check,
    ...(overrides && state
      ? ['else:', `    ${NAME}.state = ${literal(state)}`, check]
      : []),
    `display(${NAME})`
  ].join('\n');
}

/** A text as a Python literal: JSON's escapes mean the same there. */
export function literal(text: string): string {
  return JSON.stringify(text);
}
