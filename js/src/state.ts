/** The version of a state and of a scenario file. */
export const VERSION = 1;

/** An explorer's state, as far as the front end looks into it. */
export interface IState {
  readonly version: number;
  readonly explorer?: string;
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** What a new explorer starts with; an empty word leaves its own example. */
export interface IDefaults {
  readonly gpu: string;
  readonly dtype: string;
  readonly phases: string;
  readonly launch: string;
}

const PHASES: Readonly<Record<string, readonly string[]>> = {
  inference: ['fprop'],
  training: ['fprop', 'dgrad', 'wgrad', 'update']
};

/** The explorer that a state is of: the first states did not say. */
export function explorerOf(state: string): string {
  return (JSON.parse(state) as IState).explorer ?? 'layer';
}

/** A state with the user's defaults in place of the explorer's own example. */
export function withDefaults(state: string, defaults: IDefaults): string {
  const data = JSON.parse(state) as IState;
  const { gpu, dtype, launch } = defaults;
  const scenario = {
    ...data.scenario,
    ...(gpu && { gpu }),
    ...(dtype && { dtype }),
    ...(launch && { launch }),
    ...(defaults.phases && { phases: PHASES[defaults.phases] })
  };
  return JSON.stringify({ ...data, scenario });
}

/** Whether two states say the same, however they are written. */
export function sameState(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

function canonical(state: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(state)));
  } catch {
    return state;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, v]) => [key, sorted(v)]));
  }
  return value;
}
