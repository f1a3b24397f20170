// Mechanical checks of the texts of one story against docs/editorial.md, for `radar eval texts`.

import { foldCased } from '../../radar/language/fold-cased.ts';
import { withoutLength } from '../../radar/language/model-text-faults.ts';
import { type Figure, readFigures } from '../../radar/language/read-figures.ts';
import { sentenceFaults, type TextFault, titleFaults } from '../../radar/language/text-faults.ts';
import { findNames } from '../../radar/publication/digest/claims/find-names.ts';
import type { Digest, DigestReport } from '../../radar/publication/digest/digest.ts';

export type StoryFault =
  | TextFault
  | 'repeated_sentence'
  | 'unsupported_figure'
  | 'unsupported_name'
  | 'empty';

/** A title quoted from its source, which may be a question or an opinion: `Source: “title”`. */
const quotedTitle = /[:：]\s?“[^“”]+”$/u;

/** The title of a work, in its own language. */
const workTitle = /^《[^《》]+》$/u;

/** Faults of a title that a source wrote. Its length is not checked. */
export function checkTitle(title: string, language: string): readonly StoryFault[] {
  if (title.trim() === '') return ['empty'];
  if (quotedTitle.test(title) || workTitle.test(title)) return [];
  return withoutLength(titleFaults(title, language));
}

/**
 * The first sentence must be clear alone; a later one may refer to the sentence before it. `names`:
 * names of sources, which may be in another language than the sentence.
 */
export function checkSentences(
  sentences: readonly string[],
  language: string,
  names: readonly string[] = [],
): readonly StoryFault[] {
  const withoutNames = (text: string) =>
    names.reduce((rest, name) => rest.replaceAll(name, 'X'), text);
  const faults = sentences.flatMap((text, index) =>
    sentenceFaults(withoutNames(text), language).filter(
      (fault) => index === 0 || fault !== 'dependent',
    ),
  );
  const isRepeated = new Set(sentences).size < sentences.length;
  return [
    ...new Set<StoryFault>([...faults, ...(isRepeated ? (['repeated_sentence'] as const) : [])]),
  ];
}

/** Figures are read from at most this many characters of the reports, which limits the time. */
const MAX_FIGURE_CHARACTERS = 60_000;

/** Figures and names of a digest that no report states. */
export function checkSupport(
  digest: Digest,
  reports: readonly DigestReport[],
): readonly StoryFault[] {
  const reportTexts = reports.map(
    ({ title, text, summary }) => `${title}\n${text}\n${summary ?? ''}`,
  );
  const names = reports.map(({ sourceName }) => sourceName);
  const source = foldCased([...reportTexts, ...names].join('\n')).toLowerCase();
  const knownValues = source
    .slice(0, MAX_FIGURE_CHARACTERS)
    .split(/\n+|(?<=[。；])/u)
    .flatMap((line) => readFigures(line).map(({ value }) => value));
  const text = foldCased(`${digest.title}\n${digest.text}`);
  const isKnown = (value: number) =>
    knownValues.some((knownValue) => Math.abs(knownValue - value) <= 0.01 * Math.abs(value)) ||
    source.includes(String(value));
  // A report may write the number far from its unit: "the deadline in days is 14".
  const isKnownCount = ({ kind, start, end }: Figure) =>
    kind === 'duration' &&
    knownValues.includes(Number.parseFloat(text.slice(start, end).replaceAll(',', '')));
  const hasUnsupportedFigure = readFigures(text.toLowerCase()).some(
    (figure) =>
      !isKnown(figure.value) &&
      !isKnownCount(figure) &&
      !source.includes(text.slice(figure.start, figure.end).toLowerCase().trim()),
  );
  const knownNames = new Set(
    [...reportTexts, ...names].flatMap((part) =>
      findNames(foldCased(part)).map(({ name }) => name),
    ),
  );
  // Only subjects in Latin letters are compared; names of the digest are in lower case.
  const hasUnsupportedName = findNames(text).some(
    ({ name, role }) =>
      role === 'subject' && !knownNames.has(name) && /^[a-z]/u.test(name) && !isNamed(name, source),
  );
  return [
    ...(hasUnsupportedFigure ? (['unsupported_figure'] as const) : []),
    ...(hasUnsupportedName ? (['unsupported_name'] as const) : []),
  ];
}

/** Whether the reports contain the name, possibly without punctuation. Hyphenated names pass. */
const isNamed = (name: string, source: string) =>
  source.includes(name) || name.includes('-') || source.includes(name.replace(/[.'’-]/gu, ''));
