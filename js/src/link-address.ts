import { readScenarioFile } from './scenario-file';
import { explorerOf } from './state';

/** The part of an address that names an explorer, or holds its state. */
export const PARAMETER = 'dlperf';

const GPU = `${PARAMETER}-gpu`;
const SESSION = `${PARAMETER}-session`;
const SLUG = /^[a-z-]+$/;
/** A link leads to the sessions of explorers alone: to no notebook's kernel. */
const OWN_SESSION = /^dlperf-explorer-[\w-]+$/;

/** What an address says of an explorer. */
export interface ILinked {
  readonly slug: string;
  /** What it starts with, in place of its own example. */
  readonly state?: string;
  /** The GPU in the example. */
  readonly gpu?: string;
  /** The path of a session of its own, to find the kernel again. */
  readonly session?: string;
}

/** The address of a page that opens an explorer. */
export function linkTo(page: string, linked: ILinked): string {
  const { slug, state, gpu, session } = linked;
  const query = new URLSearchParams({
    [PARAMETER]: state ? encoded(state) : slug,
    ...(gpu && { [GPU]: gpu }),
    ...(session && { [SESSION]: session })
  });
  return `${page}?${query.toString()}`;
}

/** The explorer that the query of an address asks for, or null; throws if it is damaged. */
export function linkedIn(query: string): ILinked | null {
  const parameters = new URLSearchParams(query);
  const value = parameters.get(PARAMETER);
  if (value === null) {
    return null;
  }
  const state = SLUG.test(value) ? undefined : decoded(value);
  const session = parameters.get(SESSION) ?? '';
  return {
    slug: state ? explorerOf(state) : value,
    state,
    gpu: parameters.get(GPU) ?? undefined,
    session: OWN_SESSION.test(session) ? session : undefined
  };
}

/** A query that asks for no explorer. */
export function withoutLink(query: string): string {
  const rest = new URLSearchParams(query);
  [PARAMETER, GPU, SESSION].forEach(name => rest.delete(name));
  return rest.size > 0 ? `?${rest.toString()}` : '';
}

function encoded(state: string): string {
  const bytes = new TextEncoder().encode(state);
  const text = btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function decoded(safe: string): string {
  const text = atob(safe.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(text, character => character.charCodeAt(0));
  return readScenarioFile(new TextDecoder().decode(bytes));
}
