// What the page and the worker that runs Python tell each other.

/** A message of a widget's comm, in either direction. */
export interface ICommMessage {
  type: 'comm_open' | 'comm_msg' | 'comm_close';
  comm_id: string;
  target_name?: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** What travels: the message as JSON, for that is how Python reads and writes it, and its binary parts. */
export interface ICommPost {
  kind: 'comm';
  message: string;
  buffers: ArrayBuffer[];
}

/** The files of Pyodide, each gzipped in base64, by name. */
export type PyodideFiles = Record<string, string>;

export interface IStart {
  kind: 'start';
  pyodide: PyodideFiles;
  /** A zip of Python's sources, in base64. */
  sources: string;
  /** The Python module whose `start` opens what the page shows. */
  module: string;
  /** What `start` is told, as JSON. */
  request: string;
}

export type ToWorker = IStart | ICommPost;

export type Step = 'unpacking' | 'python' | 'opening';

export type ToPage =
  | { kind: 'step'; step: Step }
  | ICommPost
  /** Python has dealt with the oldest message that was not answered yet. */
  | { kind: 'idle' }
  | { kind: 'ready'; model: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'trouble'; traceback: string };
