import data from './generated.json';

/** A public page that a figure or a term rests on; without an address where the title says it all. */
export interface ISource {
  readonly title: string;
  readonly address: string;
}

/** What Python says of an explorer. */
export interface IExplorerRecord {
  readonly slug: string;
  readonly title: string;
  readonly caption: string;
}

/** A notebook that travels in the Python package. */
export interface ILesson {
  readonly file: string;
  readonly title: string;
}

/** A GPU: bytes, bytes/s, dense FLOPS and FLOPS/byte by number format. */
export interface IGpu {
  readonly name: string;
  readonly architecture: string;
  readonly memory: number;
  readonly bandwidth: number;
  readonly peaks: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
  readonly tensor: readonly string[];
  readonly sources: readonly ISource[];
}

/** A term of the glossary; `explorer` is the slug of one that shows it. */
export interface ITerm {
  readonly name: string;
  readonly zh: string;
  readonly meaning: string;
  readonly meaning_zh: string;
  readonly explorer: string;
  readonly source: ISource;
}

/** What `python -m dlperf_widgets export` wrote: nothing here needs a kernel. */
export interface IRecords {
  readonly version: string;
  readonly languages: readonly string[];
  readonly explorers: readonly IExplorerRecord[];
  readonly lessons: readonly ILesson[];
  /** Characters that a state or a file can have. */
  readonly largest: number;
  readonly dtypes: readonly string[];
  readonly gpus: readonly IGpu[];
  readonly terms: readonly ITerm[];
}

export const RECORDS: IRecords = data as unknown as IRecords;
