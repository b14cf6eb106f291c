import { RECORDS } from './records';
import { VERSION } from './state';

/** The end of a scenario file's name. */
export const EXTENSION = '.dlperf.json';

const KEYS = ['version', 'explorer', 'scenario', 'options', 'pinned'];

/** Why a file is no scenario file: `kind` is for the reader's language, `detail` for the reader's eyes. */
export class NotAScenario extends Error {
  constructor(
    readonly kind: 'large' | 'json' | 'foreign' | 'version' | 'unknown',
    readonly detail: string
  ) {
    super(detail);
  }
}

/**
 * The explorer's state in a file's text.
 *
 * Python reads it again and knows better; this much is refused before a kernel is started.
 */
export function readScenarioFile(text: string): string {
  if (text.length > RECORDS.largest) {
    throw new NotAScenario(
      'large',
      `${text.length} > ${RECORDS.largest} characters`
    );
  }
  const data = parsed(text);
  if (!isObject(data) || !isObject(data.scenario)) {
    throw new NotAScenario('foreign', '');
  }
  if (data.version !== VERSION) {
    throw new NotAScenario('version', String(data.version));
  }
  const unknown = Object.keys(data).filter(key => !KEYS.includes(key));
  if (unknown.length > 0) {
    throw new NotAScenario('unknown', unknown.join(', '));
  }
  return JSON.stringify(data);
}

/** The text of a file that holds a state. */
export function writeScenarioFile(state: string): string {
  return `${JSON.stringify(JSON.parse(state), null, 2)}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotAScenario('json', (error as Error).message);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
