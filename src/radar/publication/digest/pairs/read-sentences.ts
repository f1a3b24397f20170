// The sentences of a report, its title first, folded for reading, and a stretch of one as a
// mention.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { type DayMention, readDays } from '../../../language/read-dates.ts';
import type { DigestReport } from '../digest.ts';
import { anchorOf, findNames } from '../find-names.ts';
import { foldCased } from '../fold-cased.ts';
import { plainSentences } from '../plain-sentences.ts';
import { isRecalled } from '../recalled.ts';
import type { Mention } from './mention.ts';

export type Sentence = {
  readonly at: number;
  readonly written: string;
  /** Folded, in both cases and in lower case. */
  readonly cased: string;
  readonly text: string;
  readonly days: readonly DayMention[];
  /** It names a day well before the report. */
  readonly isOld: boolean;
  /** It tells of other news that came before. */
  readonly isRecalled: boolean;
};

/** A weekday may be that of last week's news. */
const oldMs = 6.5 * DAY_MS;
const datedMs = 4 * DAY_MS;
const most = 24;
const longest = 600;

const cache = new WeakMap<DigestReport, readonly Sentence[]>();

export function readSentences(report: DigestReport): readonly Sentence[] {
  const known = cache.get(report);
  if (known !== undefined) return known;
  const sentences = sentencesOf(report);
  cache.set(report, sentences);
  return sentences;
}

function sentencesOf(report: DigestReport): readonly Sentence[] {
  const title = report.title.replace(/\s+/gu, ' ').trim();
  const all = [title, ...plainSentences(report).map((sentence) => sentence.text)];
  return all.slice(0, most).map((whole, at) => {
    const written = whole.slice(0, longest);
    const cased = foldCased(written);
    const text = cased.toLowerCase();
    const days = readDays(text, report.at);
    const isOld = days.some(({ value, start, end }) => {
      // A day of the calendar tells it sooner than a weekday.
      const ms = /\d/u.test(text.slice(start, end)) ? datedMs : oldMs;
      return Date.parse(value) < report.at - ms;
    });
    return { at, written, cased, text, days, isOld, isRecalled: isRecalled(text, days, report.at) };
  });
}

const names = new WeakMap<Sentence, string>();

/** Whom a sentence names, found once. */
export function namesIn(sentence: Sentence): string {
  const known = names.get(sentence);
  if (known !== undefined) return known;
  const found = anchorOf(findNames(sentence.cased));
  names.set(sentence, found);
  return found;
}

export function titleNames(report: DigestReport): string {
  const [title] = readSentences(report);
  return title === undefined ? '' : namesIn(title);
}

/** A stretch of a sentence without a value, as it is compared by what stands around it. */
export function stretchOf(
  report: DigestReport,
  sentence: Sentence,
  stretch: { readonly start: number; readonly end: number; readonly kind: string },
): Mention {
  const { at, written, cased, text, isOld, isRecalled } = sentence;
  return {
    ...{ report, written, cased, sentence: text, at, ...stretch, unit: null, head: [] },
    ...{ value: 0, low: 0, high: 0, bound: '', group: 0, isFormer: false },
    ...{ isOld, isRecalled, days: [] },
    clause: [0, text.length],
    names: namesIn(sentence),
    about: titleNames(report),
  };
}
