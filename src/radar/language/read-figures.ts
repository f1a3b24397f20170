// Reads the figures of a sentence in one form for all languages and notations: 1.25亿美元, $125M
// and 125 million dollars are equal. The precision comes from words such as "about" and 近, and
// from the number of digits.
import { cuePattern } from './cues.ts';
import { currencyBefore, type FigureKind, type Unit, unitAt } from './figure-units.ts';
import { englishNumeral, hanNumeral, readEnglishNumber, readHanNumber } from './read-number.ts';

export type Figure = {
  readonly kind: FigureKind;
  readonly unit: string | null;
  readonly value: number;
  /** The range of values that the wording allows: from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  /** Position in the folded text, including currency and unit. */
  readonly start: number;
  readonly end: number;
  /** `≥`, `≤` or `~` for a bound or an approximation; otherwise empty. */
  readonly bound: '' | '~' | '≥' | '≤';
};

const scales: Readonly<Record<string, number>> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mln: 1e6,
  mn: 1e6,
  mm: 1e6,
  m: 1e6,
  billion: 1e9,
  bln: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
  tn: 1e12,
  t: 1e12,
  十: 10,
  百: 100,
  千: 1e3,
  万: 1e4,
  十万: 1e5,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  个亿: 1e8,
  十亿: 1e9,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
};
const scale =
  '(?:\\s?-?(?<scaleWord>thousand|million|billion|trillion|mln|bln|mn|bn|tn)\\b|' +
  '(?<scaleLetter>[kmbt]|mm)(?![a-z0-9])|\\s?' +
  '(?<hanScale>万亿|千亿|百亿|十亿|千万|百万|十万|个?亿|万|' +
  // 千瓦, 千米 and 百公里 are units, not thousands and hundreds.
  '十|百(?!公里)|千(?![瓦米克卡]))' +
  '(?<lastDigit>[一二三四五六七八九](?![十百千万亿点\\d成分平个年月天只台套张]))?)?';
const digitPattern = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?';
const numberPattern = new RegExp(
  `(?<percent>百分之\\s?)?(?:(?<![\\p{L}\\d.-]|\\d[-:/])(?<english>${englishNumeral})(?=[ -])|` +
    `(?<![a-z\\d.]|[a-z]-|\\d[-:/]|第)(?<digits>${digitPattern})|` +
    `(?<![第周]|星期)(?!百公里)(?<han>${hanNumeral}))` +
    `${scale}(?<moreWord>\\s?(?:多|余|几)(?![个月家]{2}))?`,
  'gu',
);

const aboutCue = cuePattern('about');
const almostCue =
  /(?:\bnearly|\balmost|\bjust under|\bjust shy of|\bclose to|近|接近|将近|逼近|不足|不到)\s?$/u;
const overCue = cuePattern('over');
const atLeastCue =
  /(?:\bat least|\bno (?:less|fewer) than|\bminimum of|至少|不少于|不低于|最少)\s?$/u;
const atMostCue = cuePattern('most');
const aboutCueAfter = /^\s?(?:左右|上下|or so\b|-ish\b)/u;
const overCueAfter = /^\s?(?:以上|or more\b|\+(?!\s?\d))/u;

const FIGURES_MAX = 40;

/** The first `FIGURES_MAX` figures of one folded, lower-case sentence, in reading order. */
export function readFigures(text: string): readonly Figure[] {
  const figures: Figure[] = [];
  for (const match of text.matchAll(numberPattern)) {
    const lastFigure = figures.at(-1);
    if (lastFigure !== undefined && match.index < lastFigure.end) continue;
    const figure = readFigure(text, match);
    if (figure === null) continue;
    const joinedFigure = lastFigure === undefined ? null : joinFigures(text, lastFigure, figure);
    if (joinedFigure === null) figures.push(figure);
    else figures[figures.length - 1] = joinedFigure;
    if (figures.length === FIGURES_MAX) break;
  }
  return figures;
}

function readFigure(text: string, match: RegExpExecArray): Figure | null {
  const { percent, english, digits, han, lastDigit, moreWord } = match.groups ?? {};
  const { scaleWord, scaleLetter, hanScale } = match.groups ?? {};
  const numberValue =
    digits !== undefined
      ? Number(digits.replaceAll(',', ''))
      : english !== undefined
        ? readEnglishNumber(english.trim())
        : readHanNumber(han ?? '');
  if (numberValue === null || !Number.isFinite(numberValue)) return null;
  // 一万三 is 13,000: the last digit belongs to the next lower place.
  const base =
    lastDigit === undefined ? numberValue : numberValue + (readHanNumber(lastDigit) ?? 0) / 10;
  const scaleText = scaleWord ?? scaleLetter ?? hanScale;
  const scaleFactor = scaleText === undefined ? 1 : (scales[scaleText] ?? 1);
  const currency = currencyBefore(text, match.index);
  const end = match.index + match[0].length;
  // In "a magnitude 6.4 quake", "a" is no number.
  if (english !== undefined && /^ ?magnitude\b/u.test(text.slice(end))) return null;
  if (digits !== undefined && isMagnitude(text, match.index, end)) {
    const quakeMargin = 0.5 * 10 ** -(digits.split('.')[1]?.length ?? 0);
    const span = { start: match.index, end, bound: '' } as const;
    const bounds = {
      value: numberValue,
      low: numberValue - quakeMargin,
      high: numberValue + quakeMargin,
    };
    return { kind: 'measure', unit: 'magnitude', ...bounds, ...span };
  }
  const unit: Unit & { end: number } = readUnit(text, end, percent !== undefined, currency);
  const isInWords = digits === undefined;
  // Without a unit, "a", "one" and 一 are articles.
  if (unit.kind === 'count' && isInWords && base * scaleFactor < 3) return null;
  const isWithoutScale = scaleText === undefined;
  if (unit.kind === 'count' && isWithoutScale && isYear(digits, text, match.index, unit.end))
    return null;
  if (unit.kind === 'duration' && isYear(digits, text, match.index, end)) {
    return null;
  }
  if (unit.kind === 'duration' && isArticle(english, text, match.index, unit.factor)) return null;
  // An air temperature above 57 degrees is in Fahrenheit, so the figure in °C is skipped.
  const isFahrenheit = unit.unit === '°C' && base > 57 && /degrees$/u.test(text.slice(0, unit.end));
  if (isFahrenheit) return null;
  const factor = scaleFactor * unit.factor;
  if (unit.kind === 'duration' && /^半(?!年)/u.test(text.slice(unit.end))) {
    const value = (base + 0.5) * factor;
    const end = unit.end + 1;
    const withUnit = { kind: unit.kind, unit: unit.unit, value, start: match.index, end };
    return { ...withUnit, low: value * 0.95, high: value * 1.05, bound: '' };
  }
  const start = currency?.start ?? match.index;
  // "Two dozen" covers twenty-two and twenty-six.
  const isDozens = english?.trim().endsWith('dozen') === true && base > 12;
  const rounding = isDozens ? 0.12 * base * factor : roundingOf(digits, base, factor, unit.kind);
  const margin = rounding + (moreWord === undefined ? 0 : factor * 0.5);
  return applyBound(text, {
    unit,
    start,
    value: base * factor,
    margin,
    isAtLeast: moreWord !== undefined,
  });
}

const quakeWord = /\b(?:quake|earthquake|tremor|temblor)s?\b|地震/u;

/** True for "magnitude 6.4", and for 5.7 in "a tremor measured at 5.7". */
function isMagnitude(text: string, start: number, end: number): boolean {
  const head = text.slice(Math.max(0, start - 24), start);
  if (/\bmagnitude(?: of| was| is)?(?: about| around)? $/u.test(head)) return true;
  const isPlainDecimal =
    /^\d\.\d$/u.test(text.slice(start, end)) && /^(?:[,.; ]|$)/u.test(text.slice(end));
  return isPlainDecimal && /\b(?:at|of|measur\w+|reading) $/u.test(head) && quakeWord.test(text);
}

/** True for "a month" in "$7 a month" and for "a second chip", which state no duration. */
function isArticle(english: string | undefined, text: string, at: number, factor: number): boolean {
  if (english?.trim() !== 'a' && english?.trim() !== 'an') return false;
  // "A second" mostly means another one; "a minute" and "an hour" after an amount state a rate.
  if (factor < 60) return true;
  if (factor === 60 || factor === 3600)
    return /(?:[$€£\d]|yuan|per \w+) ?$/u.test(text.slice(0, at));
  return !/\b(?:within|after|about|nearly|lasting|almost|over|for|some) $/u.test(text.slice(0, at));
}

function readUnit(
  text: string,
  end: number,
  isPercent: boolean,
  currency: ReturnType<typeof currencyBefore>,
): Unit & { end: number } {
  if (isPercent) return { kind: 'percent', unit: null, factor: 1, end };
  if (currency !== null) {
    const unitAfter = unitAt(text, end);
    const isMoneyUnit = unitAfter !== null && unitAfter.kind === 'money';
    return {
      kind: 'money',
      unit: currency.unit,
      factor: 1,
      end: isMoneyUnit ? unitAfter.end : end,
    };
  }
  return unitAt(text, end) ?? { kind: 'count', unit: null, factor: 1, end };
}

/** Words before a number that is no year, as in 受访人数为 2000. */
const statedNumber = /[数量][为达至到是有]\s?$|[为达]到?\s$|\bn ?= ?$/u;

/** True for four digits from 1900 to 2099, unless adjacent words make them a quantity. */
const isYear = (digits: string | undefined, text: string, start: number, end: number) =>
  digits !== undefined &&
  /^(?:19|20)\d\d$/u.test(digits) &&
  (!statedNumber.test(text.slice(Math.max(0, start - 4), start)) ||
    /^\s?年/u.test(text.slice(end))) &&
  !/^\s?(?:-year|years?\b|家|人|名|个|台)/u.test(text.slice(end));

/** Maximum rounding as a share of the number. It is below 5 %, so 1,000 does not include 1,050. */
const ROUNDING_MAX = 0.049;

/** Half of the last decimal place; for a round number, half of its last place that is not 0. */
function roundingOf(
  digits: string | undefined,
  base: number,
  factor: number,
  kind: FigureKind,
): number {
  const decimals = digits?.split('.')[1]?.length ?? 0;
  if (decimals > 0) return 0.5 * 10 ** -decimals * factor;
  // 1% must not include 1.4%, but 14% includes 14.4%.
  if (kind === 'percent' || kind === 'points') return Math.min(0.5, 0.3 * base) * factor;
  // "An hour" includes fifty minutes, but not half an hour.
  if (kind === 'duration') return (base === 1 ? 0.3 : 0.45) * factor;
  if (base < 1) return 0.1 * base * factor;
  // A number below 100 without a scale is exact.
  if (factor === 1 && base < 100) return 0.4;
  const zeros = /0*$/u.exec(String(base))?.[0].length ?? 0;
  return Math.min(0.5 * 10 ** zeros * factor, ROUNDING_MAX * base * factor);
}

type UnboundedFigure = {
  readonly unit: Unit & { readonly end: number };
  readonly start: number;
  readonly value: number;
  readonly margin: number;
  readonly isAtLeast: boolean;
};

/** "Over" before a period, as in "$160m over 7 years", does not mean "more than". */
const overPeriod = new RegExp(
  '(?:\\d ?(?:[kmbt]n?)?|%|' +
    '\\b(?:million|billion|yuan|dollars?|euros?|percent|spread|spent|paid|phased)) over $',
  'u',
);

/**
 * The range of a figure by its words. "At least" allows up to twice the value, and "at most" from
 * half of it. "Over" allows up to a quarter more, and "about" a tenth on both sides.
 */
function applyBound(text: string, unbounded: UnboundedFigure): Figure {
  const { unit, start, value, margin } = unbounded;
  const head = text.slice(Math.max(0, start - 24), start);
  const tail = text.slice(unit.end, unit.end + 10);
  const figure = { kind: unit.kind, unit: unit.unit, value, start, end: unit.end };
  const wideMargin = Math.max(margin, 0.1 * value);
  if (atLeastCue.test(head)) return { ...figure, low: value - margin, high: value * 2, bound: '≥' };
  if (atMostCue.test(head))
    return { ...figure, low: value * 0.5, high: value + margin, bound: '≤' };
  const isOverPeriod = unit.kind === 'duration' && overPeriod.test(head);
  if ((overCue.test(head) && !isOverPeriod) || overCueAfter.test(tail) || unbounded.isAtLeast) {
    return { ...figure, low: value - margin, high: value * 1.25 + margin, bound: '≥' };
  }
  if (almostCue.test(head)) {
    return { ...figure, low: value - wideMargin, high: value + margin, bound: '~' };
  }
  if (aboutCue.test(head) || aboutCueAfter.test(tail)) {
    return { ...figure, low: value - wideMargin, high: value + wideMargin, bound: '~' };
  }
  return { ...figure, low: value - margin, high: value + margin, bound: '' };
}

/** One figure of two numbers: "3 hours and 25 minutes", "1.2 to 1.5 billion dollars". */
function joinFigures(text: string, left: Figure, right: Figure): Figure | null {
  const between = text.slice(left.end, right.start);
  const isDuration = left.kind === 'duration' && right.kind === 'duration';
  const isSmallerUnit =
    isDuration && right.value < left.value && right.high - right.low < left.high - left.low;
  if (isSmallerUnit && left.bound === '' && /^\s?(?:and|,|零|又)?\s?$/u.test(between)) {
    const margin = right.value - right.low;
    const value = left.value + right.value;
    return { ...left, value, low: value - margin, high: value + margin, end: right.end };
  }
  if (
    isWordSum(text, left, between) &&
    right.value < left.value / 2 &&
    /^\p{L}/u.test(text.slice(right.start))
  ) {
    const value = left.value + right.value;
    const margin = Math.min(right.value - right.low, ROUNDING_MAX * value);
    return {
      ...right,
      value,
      low: value - margin,
      high: value + margin,
      start: left.start,
      bound: left.bound,
    };
  }
  const head = text.slice(Math.max(0, left.start - 9), left.start);
  const rangeWord = /\bbetween\s?$/u.test(head)
    ? /^\s?and\s?$/u
    : /^\s?(?:-|~|to|至|到|or|或)\s?$/u;
  if (!rangeWord.test(between) || /(?:\bfrom|从|由|自)\s?$/u.test(head)) return null;
  const low = rangeStart(left, right);
  if (low === null || low >= right.value) return null;
  const value = (low + right.value) / 2;
  return { ...right, value, low: low * 0.98, high: right.high, start: left.start, bound: '~' };
}

/** True for "two thousand" before "one hundred". */
function isWordSum(text: string, left: Figure, between: string): boolean {
  const isWords = /^[a-z -]+ (?:thousand|million|billion)$/u.test(
    text.slice(left.start, left.end).trim(),
  );
  return isWords && left.kind === 'count' && /^ (?:and )?$/u.test(between);
}

/** The start of a range in the unit of its end: "1.2" in "1.2 to 1.5 billion". */
function rangeStart(left: Figure, right: Figure): number | null {
  const isWithoutOwnUnit =
    left.kind === 'count' || (left.kind === right.kind && left.unit === right.unit);
  if (!isWithoutOwnUnit) return null;
  if (left.kind === right.kind && left.value > 0.02 * right.value) return left.value;
  // The start has the time unit of the end: "2" in "2 to 3 hours".
  for (const factor of [60, 3600, 86_400, 604_800, 2_629_800, 31_557_600]) {
    const isUnit = right.kind === 'duration' && Math.abs(right.value % factor) < 1;
    if (isUnit && left.value * factor < right.value && left.value < 100) return left.value * factor;
  }
  // The start has the scale of the end: "1.2" in "1.2 to 1.5 billion".
  for (const factor of [1, 1e3, 1e4, 1e6, 1e8, 1e9, 1e12]) {
    const scaled = left.value * factor;
    if (scaled < right.value && scaled > 0.1 * right.value) return scaled;
  }
  return null;
}
