// The sentences of a report, its title first, folded for reading, and a stretch of one as a mention.
import type { DigestReport } from '../digest.ts';
import { anchorOf, findNames } from '../find-names.ts';
import { plainSentences } from '../plain-sentences.ts';
import type { Mention } from './read-mentions.ts';

export type Sentence = {
  readonly at: number;
  readonly written: string;
  /** Folded, in both cases and in lower case. */
  readonly cased: string;
  readonly text: string;
};

const most = 24;
const longest = 600;

export function foldCased(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[‐‑‒–—―−]/gu, '-')
    .replace(/(?<=\p{sc=Han}) (?=[\p{N}\p{sc=Han}])|(?<=\p{N}) (?=\p{sc=Han})/gu, '');
}

export function readSentences(report: DigestReport): readonly Sentence[] {
  const title = report.title.replace(/\s+/gu, ' ').trim();
  const all = [title, ...plainSentences(report).map((sentence) => sentence.text)];
  return all.slice(0, most).map((whole, at) => {
    const written = whole.slice(0, longest);
    const cased = foldCased(written);
    return { at, written, cased, text: cased.toLowerCase() };
  });
}

export function titleNames(report: DigestReport): string {
  return anchorOf(findNames(report.title.slice(0, longest).normalize('NFKC')));
}

/** A stretch of a sentence without a value, as it is compared by what stands around it. */
export function stretchOf(
  report: DigestReport,
  { at, written, cased, text }: Sentence,
  stretch: { readonly start: number; readonly end: number; readonly kind: string },
): Mention {
  return {
    ...{ report, written, cased, sentence: text, at, ...stretch, unit: null, head: [] },
    ...{ value: 0, low: 0, high: 0, bound: '', group: 0, isOld: false },
    clause: [0, text.length],
    names: anchorOf(findNames(cased)),
    about: titleNames(report),
  };
}
