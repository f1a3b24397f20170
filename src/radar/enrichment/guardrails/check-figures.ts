// Checks that every figure and date of a text occurs in its source. Figures are compared as values
// in any language, unit and notation. Digits that are not a figure must occur literally.
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { currencyBehind, isCurrencyIn } from './currencies.ts';
import { foldName } from './known-names.ts';
import { withDigits } from './read-numerals.ts';
import { type Share, sharesIn } from './read-shares.ts';
import { type NamedTime, readNamedTimes } from './read-times.ts';
import type { SourceText } from './source-text.ts';

/** Only the source may round. The tolerance covers units of nearly equal size (months, miles). */
const TOLERANCE = 0.01;

type Span = { readonly start: number; readonly end: number };
const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** Figures without support, as written; empty when all are supported. */
export function unsupportedFigures(text: string, source: SourceText): readonly string[] {
  const folded = withDigits(foldName(text));
  const textOf = ({ start, end }: Span) => folded.slice(start, end).trim();
  const times = readNamedTimes(folded);
  const isTime = (span: Span) => times.some((time) => overlaps(time, span));
  const shares = sharesIn(folded).filter((share) => isShare(share, source));
  const isSettled = (span: Span) => isTime(span) || shares.some((share) => overlaps(share, span));
  const figures = readFigures(folded).filter((figure) => !isSettled(figure));
  const unsupported = figures
    .filter((figure) => !isPerUnit(folded, figure))
    .filter((figure) => !source.figures.some((groundFigure) => isSame(figure, groundFigure)))
    .filter((figure) => !isWord(textOf(figure), source))
    .filter((figure) => !isInItsCurrency(folded, figure, source))
    .map(textOf);
  const strangeTimes = times.filter((time) => !isNamed(time, source)).map(textOf);
  const bareFigures = [...folded.matchAll(/(?<![\p{L}\d.-])\d[\d.,:/]*(?![\p{Script=Latin}])/gu)]
    .map(({ index, 0: digits }) => ({ start: index, end: index + digits.length }))
    .filter((span) => !isSettled(span) && !figures.some((figure) => overlaps(figure, span)))
    .map((span) => textOf(span).replace(/[.,:/]+$/u, ''))
    .filter((digits) => !isWritten(digits, source));
  return [
    ...new Set([
      ...unsupported,
      ...strangeTimes,
      ...bareFigures,
      ...unsupportedMultiples(folded, source),
    ]),
  ];
}

/** "$2 per million tokens", 每百万词元, 每拖延一天: the unit of a rate instead of a count. */
function isPerUnit(folded: string, { kind, start }: Figure): boolean {
  const before = folded.slice(0, start);
  if (/(?:每|\bper|\beach|\bevery)\s?$/u.test(before)) return true;
  const isOne = /^[一1](?!\d)/u.test(folded.slice(start));
  return kind === 'duration' && isOne && /每\p{sc=Han}{1,3}$/u.test(before);
}

/** A share matches a rounded share of the source. */
function isShare({ percent }: Share, { figures }: SourceText): boolean {
  return figures.some(({ kind, value }) => kind === 'percent' && Math.abs(value - percent) <= 2);
}

/** A$310,000 as 31万澳元: a currency name that `readFigures` does not recognise. */
function isInItsCurrency(folded: string, figure: Figure, source: SourceText): boolean {
  const scaled = /^[\d.,]+\s?[万亿]?/u.exec(folded.slice(figure.start))?.[0] ?? '';
  const at = figure.start + scaled.length;
  const name = currencyBehind(folded.slice(at)) ?? currencyBehind(folded.slice(figure.end));
  if (name === null || isCurrencyIn(name, source.text) !== true) return false;
  const [parsedFigure] = readFigures(folded.slice(figure.start, at));
  const values = [figure.value, ...(parsedFigure === undefined ? [] : [parsedFigure.value])];
  return source.figures.some(({ kind, value }) => {
    return (
      (kind === 'money' || kind === 'count') && values.some((figure) => isEqual(figure, value))
    );
  });
}

const isEqual = (figure: number, expected: number) =>
  Math.abs(figure - expected) <= TOLERANCE * Math.abs(expected) + Number.EPSILON;

function isSame(figure: Figure, groundFigure: Figure): boolean {
  if (!isEqual(figure.value, groundFigure.value)) return isRounded(figure, groundFigure);
  if (figure.kind === groundFigure.kind) return figure.unit === groundFigure.unit;
  // "2M" may have the unit tokens in one sentence and none in the other. Money and percent always
  // have a unit.
  const kinds = new Set([figure.kind, groundFigure.kind]);
  return kinds.has('count') && !kinds.has('money') && !kinds.has('percent');
}

/** "71 percent" for 71.2: correctly rounded by one decimal place. */
function isRounded(figure: Figure, groundFigure: Figure): boolean {
  if (figure.kind !== 'percent' || groundFigure.kind !== 'percent') return false;
  // 三成 for 31 %: tenths are rounded.
  if (figure.value % 10 === 0 && Math.abs(figure.value - groundFigure.value) <= 2) return true;
  return Number.isInteger(figure.value) && Math.round(groundFigure.value) === figure.value;
}

/** Digits that occur in the source inside a word ("70B-class"). */
function isWord(figure: string, source: SourceText): boolean {
  return /^\d[\d,.]*$/u.test(figure) && source.words.has(figure.replaceAll(',', ''));
}

/** A day supports its month. A year other than the source's own must occur beside the date. */
function isNamed({ key, year }: NamedTime, { times, at }: SourceText): boolean {
  const month = /^month:(\d\d)$/u.exec(key)?.[1];
  const isWith = (ending: string) =>
    times.has(`${key}${ending}`) ||
    (month !== undefined &&
      [...times].some((time) => time.startsWith(`day:${month}-`) && time.endsWith(ending)));
  if (year === null) return isWith('');
  return isWith(` ${year}`) || (year === String(new Date(at).getUTCFullYear()) && isWith(''));
}

function isWritten(digits: string, source: SourceText): boolean {
  const isOwnYear = digits === String(new Date(source.at).getUTCFullYear());
  return (
    isOwnYear ||
    new RegExp(`(?<![\\d.])${escapePattern(digits)}(?!\\d|\\.\\d)`, 'u').test(source.text)
  );
}

const escapePattern = (text: string) => text.replace(/[.\\/]/gu, '\\$&');

/** Multiples without digits: "doubled", 翻倍, "half", 一半. */
const multiples = [
  {
    figure: /\bdoubl(?:e|ed|es|ing)\b|\btwice\b|\btwofold\b|翻[倍番]|一倍|两倍/u,
    stands: /doubl|twice|two-?fold|\b2x\b|翻[倍番]|[一两2]\s?倍|100\s?%|200\s?%|100 percent/u,
  },
  {
    figure: /\btripl(?:e|ed|es|ing)\b|\bthreefold\b|[三3]倍/u,
    stands: /tripl|three-?fold|three times|\b3x\b|[三两23]\s?倍|200\s?%|300\s?%/u,
  },
  {
    figure: /\bhal(?:f|ve|ved|ves|ving)\b|一半|减半|腰斩|过半/u,
    stands:
      /\bhal(?:f|v)|一半|减半|腰斩|半数|过半|对半|五成|50\s?%|50 percent|百分之五十|上半年|下半年/u,
  },
] as const;

function unsupportedMultiples(folded: string, { text }: SourceText): readonly string[] {
  return multiples.flatMap(({ figure, stands }) => {
    const match = figure.exec(folded)?.[0];
    return match === undefined || stands.test(text) ? [] : [match];
  });
}
