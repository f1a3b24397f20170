// The sentences of a report that a digest may read: prose only, without bylines, headings, markup's
// remains and requests to subscribe. The desk's own splitting and cleaning, so that summaries and
// digests agree about what a sentence is.
import rules from '../../../../editorial/enrichment/sentences.json' with { type: 'json' };
import { foldWhitespace, plainText } from '../../../kernel/text/text.ts';
import { openSentenceCleaner } from '../../language/clean-sentence.ts';
import { openSentenceSplitter } from '../../language/split-sentences.ts';
import type { DigestReport } from './digest.ts';

const split = openSentenceSplitter(rules.abbreviations);
const clean = openSentenceCleaner(rules);

/** News stands at the beginning; beyond this a report is background. */
const readCharacters = 12_000;
const readSentences = 60;
const longestLine = 2_000;

/** A sentence that begins with a figure begins a sentence all the same. */
const figureNext =
  /(?<!\b(?:approx|sept|vol|fig|nos?|art|sec|par|ca))([\p{Ll}\p{N})]{3}[.!?]["”]?) +(?=[\d$€£])/giu;

export type PlainSentence = {
  readonly text: string;
  /** Ends as a sentence and may be quoted; a forum's line without a stop may only be read. */
  readonly isQuotable: boolean;
};

const wholeEnd = /[.!?。！？][\p{Pe}\p{Pf}"'”’」』》）)]*$/u;

/** Whether a sentence of a report, as its claims carry it, may stand in a digest. */
export function isQuotable(text: string): boolean {
  return wholeEnd.test(text) && clean(text) === text;
}

/** A report is read for its claims, for its mentions and again whenever its story changes. */
const read = new Map<string, readonly PlainSentence[]>();
const mostRead = 1_000;

/** In reading order, at most 60. */
export function plainSentences(report: DigestReport): readonly PlainSentence[] {
  const source = report.text.trim() === '' ? (report.summary ?? '') : report.text;
  const known = read.get(source);
  if (known !== undefined) return known;
  const sentences = sentencesOf(source);
  if (read.size >= mostRead) read.delete(read.keys().next().value ?? '');
  if (source.length <= readCharacters) read.set(source, sentences);
  return sentences;
}

function sentencesOf(source: string): readonly PlainSentence[] {
  const cut = source.slice(0, readCharacters).toWellFormed();
  const plain = /[<&]/u.test(cut) ? plainText(cut) : cut;
  const lines = plain
    .replace(figureNext, '$1\n')
    .split(/\n+/u)
    .map((line) => line.slice(0, longestLine));
  const found: PlainSentence[] = [];
  for (const sentence of split(lines.join('\n'))) {
    const text = clean(sentence.text) ?? briefFigure(sentence.text) ?? inMinutes(sentence.text);
    if (text === null) continue;
    found.push({ text, isQuotable: sentence.isWhole && clean(sentence.text) !== null });
    if (found.length === readSentences) break;
  }
  return found;
}

/** The desk takes what ends in "5 minutes" for a reading time; a whole sentence states them. */
function inMinutes(text: string): string | null {
  if (text.length < 60 || !wholeEnd.test(text)) return null;
  const joined = clean(text.replace(/(\d) (?=min(?:ute)?s?\b.{0,10}$)/u, '$1-'));
  return joined?.replace(/(\d)-(?=min(?:ute)?s?\b.{0,10}$)/u, '$1 ') ?? null;
}

/** "57.5% on Hanque." is too short to be quoted and still states a figure. */
function briefFigure(text: string): string | null {
  const line = foldWhitespace(text);
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  return line.length < 90 && /\d/u.test(line) && letters >= 2 && !/[|<>{}]/u.test(line)
    ? line
    : null;
}
