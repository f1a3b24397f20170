// A written text counts and dates only what its source does. Figures are compared as values,
// whatever their language, unit and notation; what is read as no figure must stand in the source
// digit by digit.
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { currencyBehind, isCurrencyIn } from './currencies.ts';
import { foldName } from './known-names.ts';
import { withDigits } from './read-numerals.ts';
import { type Share, sharesIn } from './read-shares.ts';
import { type NamedTime, readNamedTimes } from './read-times.ts';
import type { Ground } from './source-text.ts';

/** Rounding is the source's to do; units that are only nearly the same (months, miles) pass. */
const TOLERANCE = 0.01;

type Span = { readonly start: number; readonly end: number };
const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** What no source states, as it is written; empty when all stands. */
export function unknownFigures(text: string, ground: Ground): readonly string[] {
  const folded = withDigits(foldName(text));
  const said = ({ start, end }: Span) => folded.slice(start, end).trim();
  const times = readNamedTimes(folded);
  const isTime = (span: Span) => times.some((time) => overlaps(time, span));
  const shares = sharesIn(folded).filter((share) => isShare(share, ground));
  const isSettled = (span: Span) => isTime(span) || shares.some((share) => overlaps(share, span));
  const figures = readFigures(folded).filter((figure) => !isSettled(figure));
  const strange = figures
    .filter((figure) => !isPerUnit(folded, figure))
    .filter((figure) => !ground.figures.some((known) => isSame(figure, known)))
    .filter((figure) => !isWord(said(figure), ground))
    .filter((figure) => !isInItsCurrency(folded, figure, ground))
    .map(said);
  const strangeTimes = times.filter((time) => !isNamed(time, ground)).map(said);
  const bare = [...folded.matchAll(/(?<![\p{L}\d.-])\d[\d.,:/]*(?![\p{Script=Latin}])/gu)]
    .map(({ index, 0: digits }) => ({ start: index, end: index + digits.length }))
    .filter((span) => !isSettled(span) && !figures.some((figure) => overlaps(figure, span)))
    .map((span) => said(span).replace(/[.,:/]+$/u, ''))
    .filter((digits) => !isWritten(digits, ground));
  return [...new Set([...strange, ...strangeTimes, ...bare, ...strangeMultiples(folded, ground)])];
}

/** "$2 per million tokens", 每百万词元, 每拖延一天: what is counted by, not a count. */
function isPerUnit(folded: string, { kind, start }: Figure): boolean {
  const before = folded.slice(0, start);
  if (/(?:每|\bper|\beach|\bevery)\s?$/u.test(before)) return true;
  const isOne = /^[一1](?!\d)/u.test(folded.slice(start));
  return kind === 'duration' && isOne && /每\p{sc=Han}{1,3}$/u.test(before);
}

/** Shares are rounded when they are said so. */
function isShare({ percent }: Share, { figures }: Ground): boolean {
  return figures.some(({ kind, value }) => kind === 'percent' && Math.abs(value - percent) <= 2);
}

/** A$310,000 as 31万澳元: a currency that the reader of figures does not know by this name. */
function isInItsCurrency(folded: string, figure: Figure, ground: Ground): boolean {
  const scaled = /^[\d.,]+\s?[万亿]?/u.exec(folded.slice(figure.start))?.[0] ?? '';
  const at = figure.start + scaled.length;
  const name = currencyBehind(folded.slice(at)) ?? currencyBehind(folded.slice(figure.end));
  if (name === null || isCurrencyIn(name, ground.text) !== true) return false;
  const [own] = readFigures(folded.slice(figure.start, at));
  const values = [figure.value, ...(own === undefined ? [] : [own.value])];
  return ground.figures.some(({ kind, value }) => {
    return (kind === 'money' || kind === 'count') && values.some((said) => isEqual(said, value));
  });
}

const isEqual = (said: number, known: number) =>
  Math.abs(said - known) <= TOLERANCE * Math.abs(known) + Number.EPSILON;

function isSame(said: Figure, known: Figure): boolean {
  if (!isEqual(said.value, known.value)) return isRounded(said, known);
  if (said.kind === known.kind) return said.unit === known.unit;
  // "2M" is of tokens in one sentence and of nothing in another; money and percent never are.
  const kinds = new Set([said.kind, known.kind]);
  return kinds.has('count') && !kinds.has('money') && !kinds.has('percent');
}

/** "71 percent" of 71.2: one place less, properly rounded. */
function isRounded(said: Figure, known: Figure): boolean {
  if (said.kind !== 'percent' || known.kind !== 'percent') return false;
  // 三成 of 31 %: a tenth is as exact as it is said.
  if (said.value % 10 === 0 && Math.abs(said.value - known.value) <= 2) return true;
  return Number.isInteger(said.value) && Math.round(known.value) === said.value;
}

/** Digits that stand in the source as part of something else ("70B-class"). */
function isWord(said: string, ground: Ground): boolean {
  return /^\d[\d,.]*$/u.test(said) && ground.words.has(said.replaceAll(',', ''));
}

/** A month is named by each of its days; a year that is not the source's own must stand by it. */
function isNamed({ key, year }: NamedTime, { times, at }: Ground): boolean {
  const month = /^month:(\d\d)$/u.exec(key)?.[1];
  const isWith = (ending: string) =>
    times.has(`${key}${ending}`) ||
    (month !== undefined &&
      [...times].some((time) => time.startsWith(`day:${month}-`) && time.endsWith(ending)));
  if (year === null) return isWith('');
  return isWith(` ${year}`) || (year === String(new Date(at).getUTCFullYear()) && isWith(''));
}

function isWritten(digits: string, ground: Ground): boolean {
  const isOwnYear = digits === String(new Date(ground.at).getUTCFullYear());
  return (
    isOwnYear || new RegExp(`(?<![\\d.])${escaped(digits)}(?!\\d|\\.\\d)`, 'u').test(ground.text)
  );
}

const escaped = (text: string) => text.replace(/[.\\/]/gu, '\\$&');

/** Figures in words that are no numbers: "doubled", 翻倍, "half", 一半. */
const multiples = [
  {
    said: /\bdoubl(?:e|ed|es|ing)\b|\btwice\b|\btwofold\b|翻[倍番]|一倍|两倍/u,
    stands: /doubl|twice|two-?fold|\b2x\b|翻[倍番]|[一两2]\s?倍|100\s?%|200\s?%|100 percent/u,
  },
  {
    said: /\btripl(?:e|ed|es|ing)\b|\bthreefold\b|[三3]倍/u,
    stands: /tripl|three-?fold|three times|\b3x\b|[三两23]\s?倍|200\s?%|300\s?%/u,
  },
  {
    said: /\bhal(?:f|ve|ved|ves|ving)\b|一半|减半|腰斩|过半/u,
    stands:
      /\bhal(?:f|v)|一半|减半|腰斩|半数|过半|对半|五成|50\s?%|50 percent|百分之五十|上半年|下半年/u,
  },
] as const;

function strangeMultiples(folded: string, { text }: Ground): readonly string[] {
  return multiples.flatMap(({ said, stands }) => {
    const match = said.exec(folded)?.[0];
    return match === undefined || stands.test(text) ? [] : [match];
  });
}
