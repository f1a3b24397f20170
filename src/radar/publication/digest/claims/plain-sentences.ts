// The sentences of a report that are read for figures: prose without bylines, headings and leftover
// markup. Sentences are split and cleaned as for summaries.
import rules from '../../../../../editorial/enrichment/sentences.json' with { type: 'json' };
import { plainText } from '../../../../kernel/text/text.ts';
import { openSentenceCleaner } from '../../../language/clean-sentence.ts';
import { openSentenceSplitter } from '../../../language/split-sentences.ts';
import type { DigestReport } from '../digest.ts';

const split = openSentenceSplitter(rules.abbreviations);
const clean = openSentenceCleaner(rules);

/** News stands at the beginning; later sentences are background. */
const readCharacters = 12_000;
const readSentences = 60;
const longestLine = 2_000;

/** A figure can begin a sentence. */
const figureNext =
  /(?<!\b(?:approx|sept|vol|fig|nos?|art|sec|par|ca))([\p{Ll}\p{N})]{3}[.!?]["”]?) +(?=[\d$€£])/giu;

/** In reading order, at most 60, title excluded. */
export function plainSentences(report: DigestReport): readonly string[] {
  const source = report.text.trim() === '' ? (report.summary ?? '') : report.text;
  const cut = source.slice(0, readCharacters).toWellFormed();
  const strippedText = /[<&]/u.test(cut) ? plainText(cut) : cut;
  const lines = strippedText
    .replace(figureNext, '$1\n')
    .split(/\n+/u)
    .map((line) => line.slice(0, longestLine));
  return split(lines.join('\n'))
    .flatMap(({ text }) => clean(text) ?? [])
    .slice(0, readSentences);
}
