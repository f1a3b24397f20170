// Checks that every figure and date of a text occurs in its source. Figures are compared as values
// in any language, unit and notation. Digits that are not a figure must occur literally.
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { currencyAtStart, isCurrencyIn } from './currencies.ts';
import { foldName } from './known-names.ts';
import { withDigits } from './read-numerals.ts';
import { readShares, type Share } from './read-shares.ts';
import { type NamedTime, readNamedTimes } from './read-times.ts';
import type { SourceText } from './source-text.ts';

/** Tolerance for units of nearly equal size, such as a month and thirty days. */
const TOLERANCE = 0.01;

type Span = { readonly start: number; readonly end: number };
const doOverlap = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** Returns the figures that the source does not support; empty when it supports all figures. */
export function findUnsupportedFigures(text: string, source: SourceText): readonly string[] {
  const folded = withDigits(foldName(text));
  const textOf = ({ start, end }: Span) => folded.slice(start, end).trim();
  const times = readNamedTimes(folded);
  const isTime = (span: Span) => times.some((time) => doOverlap(time, span));
  const shares = readShares(folded).filter((share) => isShareInSource(share, source));
  const isTimeOrShare = (span: Span) =>
    isTime(span) || shares.some((share) => doOverlap(share, span));
  const figures = readFigures(folded).filter((figure) => !isTimeOrShare(figure));
  const unsupported = figures
    .filter((figure) => !isPerUnit(folded, figure))
    .filter((figure) => !source.figures.some((sourceFigure) => isSameFigure(figure, sourceFigure)))
    .filter((figure) => !isWordInSource(textOf(figure), source))
    .filter((figure) => !isMoneyInSource(folded, figure, source))
    .map(textOf);
  const unsupportedTimes = times.filter((time) => !isTimeInSource(time, source)).map(textOf);
  const bareFigures = [...folded.matchAll(/(?<![\p{L}\d.-])\d[\d.,:/]*(?![\p{Script=Latin}])/gu)]
    .map(({ index, 0: digits }) => ({ start: index, end: index + digits.length }))
    .filter((span) => !isTimeOrShare(span) && !figures.some((figure) => doOverlap(figure, span)))
    .map((span) => textOf(span).replace(/[.,:/]+$/u, ''))
    .filter((digits) => !isLiteralInSource(digits, source));
  return [
    ...new Set([
      ...unsupported,
      ...unsupportedTimes,
      ...bareFigures,
      ...findUnsupportedMultiples(folded, source),
    ]),
  ];
}

/** True for the unit of a rate: "$2 per million tokens", 每百万词元, 每拖延一天. */
function isPerUnit(folded: string, { kind, start }: Figure): boolean {
  const before = folded.slice(0, start);
  if (/(?:每|\bper|\beach|\bevery)\s?$/u.test(before)) return true;
  const isOne = /^[一1](?!\d)/u.test(folded.slice(start));
  return kind === 'duration' && isOne && /每\p{sc=Han}{1,3}$/u.test(before);
}

/** True when the source has the same share up to two points, because shares are rounded. */
function isShareInSource({ percent }: Share, { figures }: SourceText): boolean {
  return figures.some(({ kind, value }) => kind === 'percent' && Math.abs(value - percent) <= 2);
}

/** True for 31万澳元 from A$310,000: `readFigures` does not recognise every currency name. */
function isMoneyInSource(folded: string, figure: Figure, source: SourceText): boolean {
  const numberText = /^[\d.,]+\s?[万亿]?/u.exec(folded.slice(figure.start))?.[0] ?? '';
  const numberEnd = figure.start + numberText.length;
  const currencyName =
    currencyAtStart(folded.slice(numberEnd)) ?? currencyAtStart(folded.slice(figure.end));
  if (currencyName === null || isCurrencyIn(currencyName, source.text) !== true) return false;
  const [parsedFigure] = readFigures(folded.slice(figure.start, numberEnd));
  const values = [figure.value, ...(parsedFigure === undefined ? [] : [parsedFigure.value])];
  return source.figures.some(({ kind, value }) => {
    return (
      (kind === 'money' || kind === 'count') && values.some((figure) => isEqual(figure, value))
    );
  });
}

const isEqual = (figure: number, expected: number) =>
  Math.abs(figure - expected) <= TOLERANCE * Math.abs(expected) + Number.EPSILON;

function isSameFigure(figure: Figure, sourceFigure: Figure): boolean {
  if (!isEqual(figure.value, sourceFigure.value)) return isRounded(figure, sourceFigure);
  if (figure.kind === sourceFigure.kind) return figure.unit === sourceFigure.unit;
  // One of two texts may omit a unit, such as tokens after "2M". Money and percent always have a
  // unit.
  const kinds = new Set([figure.kind, sourceFigure.kind]);
  return kinds.has('count') && !kinds.has('money') && !kinds.has('percent');
}

/** True for "71 percent" from 71.2, which is rounded to a whole percent. */
function isRounded(figure: Figure, sourceFigure: Figure): boolean {
  if (figure.kind !== 'percent' || sourceFigure.kind !== 'percent') return false;
  // 三成 (three tenths) may stand for 31 %.
  if (figure.value % 10 === 0 && Math.abs(figure.value - sourceFigure.value) <= 2) return true;
  return Number.isInteger(figure.value) && Math.round(sourceFigure.value) === figure.value;
}

/** True when the source has the digits inside a word ("70B-class"). */
function isWordInSource(figure: string, source: SourceText): boolean {
  return /^\d[\d,.]*$/u.test(figure) && source.words.has(figure.replaceAll(',', ''));
}

/**
 * A day in the source supports its month. A year other than the source's own must occur with the
 * time.
 */
function isTimeInSource({ key, year }: NamedTime, { times, at }: SourceText): boolean {
  const month = /^month:(\d\d)$/u.exec(key)?.[1];
  const hasTimeWith = (ending: string) =>
    times.has(`${key}${ending}`) ||
    (month !== undefined &&
      [...times].some((time) => time.startsWith(`day:${month}-`) && time.endsWith(ending)));
  if (year === null) return hasTimeWith('');
  return (
    hasTimeWith(` ${year}`) || (year === String(new Date(at).getUTCFullYear()) && hasTimeWith(''))
  );
}

function isLiteralInSource(digits: string, source: SourceText): boolean {
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
    support: /doubl|twice|two-?fold|\b2x\b|翻[倍番]|[一两2]\s?倍|100\s?%|200\s?%|100 percent/u,
  },
  {
    figure: /\btripl(?:e|ed|es|ing)\b|\bthreefold\b|[三3]倍/u,
    support: /tripl|three-?fold|three times|\b3x\b|[三两23]\s?倍|200\s?%|300\s?%/u,
  },
  {
    figure: /\bhal(?:f|ve|ved|ves|ving)\b|一半|减半|腰斩|过半/u,
    support:
      /\bhal(?:f|v)|一半|减半|腰斩|半数|过半|对半|五成|50\s?%|50 percent|百分之五十|上半年|下半年/u,
  },
] as const;

function findUnsupportedMultiples(folded: string, { text }: SourceText): readonly string[] {
  return multiples.flatMap(({ figure, support }) => {
    const match = figure.exec(folded)?.[0];
    return match === undefined || support.test(text) ? [] : [match];
  });
}
