import type { ITerm } from './records';

/** A term for a reader: its name and meaning in the reader's language, and its name in the other. */
export interface IReadTerm {
  readonly name: string;
  readonly other: string;
  readonly meaning: string;
}

export function inLanguage(term: ITerm, language: string): IReadTerm {
  return language.startsWith('zh')
    ? { name: term.zh, other: term.name, meaning: term.meaning_zh }
    : { name: term.name, other: term.zh, meaning: term.meaning };
}
