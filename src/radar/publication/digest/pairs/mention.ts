// A figure, a time or a stretch of words of a report, with where it stands.
import type { DigestReport } from '../digest.ts';

/** What a stretch of a sentence states: a number, and what a reader may take it for. */
export type ValueSpan<Kind extends string> = {
  readonly kind: Kind;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly start: number;
  readonly end: number;
  readonly bound: '' | '~';
};

export type Mention = {
  readonly report: DigestReport;
  readonly kind: string;
  /** Only mentions of one kind and unit are compared. */
  readonly unit: string | null;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly bound: string;
  /** As written, and folded in lower and in both cases. */
  readonly written: string;
  readonly sentence: string;
  readonly cased: string;
  /** Its sentence in reading order; 0 is the title. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Of a count: words of what is counted. */
  readonly head: readonly string[];
  /** The clause around it. */
  readonly clause: readonly [start: number, end: number];
  /** What it was before a change that the sentence tells: the 10 of "from 10 to 12". */
  readonly isFormer: boolean;
  /** Mentions of one report with one number here say one thing, such as title and text. */
  readonly group: number;
  /** The sentence names a day well before the report. */
  readonly isOld: boolean;
  /** The sentence tells of other news that came before. */
  readonly isRecalled: boolean;
  /** Days before the report that its sentence names. */
  readonly days: readonly number[];
  /** Names in its sentence and in the report's title. */
  readonly names: string;
  readonly about: string;
};
