import { readScenarioFile } from './scenario-file';

/** The part of an address that holds an explorer's state. */
export const PARAMETER = 'dlperf';

/** The address of a JupyterLab page that opens an explorer with a state. */
export function linkTo(page: string, state: string): string {
  const bytes = new TextEncoder().encode(state);
  const text = btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
  const safe = text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return `${page}?${PARAMETER}=${safe}`;
}

/** The state in the query of an address, or null; throws if it is damaged. */
export function stateIn(query: string): string | null {
  const safe = new URLSearchParams(query).get(PARAMETER);
  if (safe === null) {
    return null;
  }
  const text = atob(safe.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(text, character => character.charCodeAt(0));
  return readScenarioFile(new TextDecoder().decode(bytes));
}

/** A query without the state. */
export function withoutState(query: string): string {
  const rest = new URLSearchParams(query);
  rest.delete(PARAMETER);
  return rest.size > 0 ? `?${rest.toString()}` : '';
}
