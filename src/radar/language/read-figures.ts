// The figures of a sentence in one form for all languages and notations: 1.25亿美元, $125M and 125
// million dollars are equal. The precision comes from words such as "about" and 近, and from the
// number of digits.
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
  '(?:\\s?-?(?<s>thousand|million|billion|trillion|mln|bln|mn|bn|tn)\\b|' +
  '(?<c>[kmbt]|mm)(?![a-z0-9])|\\s?(?<h>万亿|千亿|百亿|十亿|千万|百万|十万|个?亿|万|' +
  // 千瓦, 千米 and 百公里 are units, not thousands and hundreds.
  '十|百(?!公里)|千(?![瓦米克卡]))' +
  '(?<t>[一二三四五六七八九](?![十百千万亿点\\d成分平个年月天只台套张]))?)?';
const digits = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?';
const numberPattern = new RegExp(
  `(?<pc>百分之\\s?)?(?:(?<![\\p{L}\\d.-]|\\d[-:/])(?<e>${englishNumeral})(?=[ -])|` +
    `(?<![a-z\\d.]|[a-z]-|\\d[-:/]|第)(?<n>${digits})|` +
    `(?<![第周]|星期)(?!百公里)(?<z>${hanNumeral}))` +
    `${scale}(?<more>\\s?(?:多|余|几)(?![个月家]{2}))?`,
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

/** Figures of one folded, lower-case sentence, in reading order. At most 40. */
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
    if (figures.length === 40) break;
  }
  return figures;
}

function readFigure(text: string, match: RegExpExecArray): Figure | null {
  const { pc, e, n, z, s, c, h, t, more } = match.groups ?? {};
  const numberValue =
    n !== undefined
      ? Number(n.replaceAll(',', ''))
      : e !== undefined
        ? readEnglishNumber(e.trim())
        : readHanNumber(z ?? '');
  if (numberValue === null || !Number.isFinite(numberValue)) return null;
  // 一万三 is 13,000: the last digit belongs to the next lower place.
  const base = t === undefined ? numberValue : numberValue + (readHanNumber(t) ?? 0) / 10;
  const word = s ?? c ?? h;
  const times = word === undefined ? 1 : (scales[word] ?? 1);
  const currency = currencyBefore(text, match.index);
  const end = match.index + match[0].length;
  // In "a magnitude 6.4 quake", "a" is no number.
  if (e !== undefined && /^ ?magnitude\b/u.test(text.slice(end))) return null;
  if (n !== undefined && isMagnitude(text, match.index, end)) {
    const quakeMargin = 0.5 * 10 ** -(n.split('.')[1]?.length ?? 0);
    const span = { start: match.index, end, bound: '' } as const;
    const bounds = {
      value: numberValue,
      low: numberValue - quakeMargin,
      high: numberValue + quakeMargin,
    };
    return { kind: 'measure', unit: 'magnitude', ...bounds, ...span };
  }
  const unit: Unit & { end: number } = readUnit(text, end, pc !== undefined, currency);
  const isWord = n === undefined;
  // Without a unit, "a", "one" and 一 are articles.
  if (unit.kind === 'count' && isWord && base * times < 3) return null;
  if (unit.kind === 'count' && word === undefined && isYear(n, text, match.index, unit.end))
    return null;
  if (unit.kind === 'duration' && n !== undefined && isYear(n, text, match.index, end)) {
    return null;
  }
  if (unit.kind === 'duration' && isArticle(e, text, match.index, unit.factor)) return null;
  // An air temperature above 57 degrees is in Fahrenheit.
  const isFahrenheit = unit.unit === '°C' && base > 57 && /degrees$/u.test(text.slice(0, unit.end));
  if (isFahrenheit) return null;
  const factor = times * unit.factor;
  if (unit.kind === 'duration' && /^半(?!年)/u.test(text.slice(unit.end))) {
    const value = (base + 0.5) * factor;
    const end = unit.end + 1;
    const withUnit = { kind: unit.kind, unit: unit.unit, value, start: match.index, end };
    return { ...withUnit, low: value * 0.95, high: value * 1.05, bound: '' };
  }
  const start = currency?.start ?? match.index;
  // "Two dozen" covers twenty-two and twenty-six.
  const isDozens = e?.trim().endsWith('dozen') === true && base > 12;
  const step = isDozens ? 0.12 * base * factor : halfPrecision(n, base, factor, unit.kind);
  const half = step + (more === undefined ? 0 : factor * 0.5);
  return applyBound(text, {
    unit,
    start,
    value: base * factor,
    half,
    isAtLeast: more !== undefined,
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
function isArticle(e: string | undefined, text: string, at: number, factor: number): boolean {
  if (e?.trim() !== 'a' && e?.trim() !== 'an') return false;
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

const isYear = (n: string | undefined, text: string, start: number, end: number) =>
  n !== undefined &&
  /^(?:19|20)\d\d$/u.test(n) &&
  (!statedNumber.test(text.slice(Math.max(0, start - 4), start)) ||
    /^\s?年/u.test(text.slice(end))) &&
  !/^\s?(?:-year|years?\b|家|人|名|个|台)/u.test(text.slice(end));

/** Half of the last written decimal place; for round numbers, of the last digit above 0. */
function halfPrecision(
  n: string | undefined,
  base: number,
  factor: number,
  kind: FigureKind,
): number {
  const decimals = n?.split('.')[1]?.length ?? 0;
  if (decimals > 0) return 0.5 * 10 ** -decimals * factor;
  // 1% must not include 1.4%, but 14% includes 14.4%.
  if (kind === 'percent' || kind === 'points') return Math.min(0.5, 0.3 * base) * factor;
  // "An hour" includes fifty minutes, but not half an hour.
  if (kind === 'duration') return (base === 1 ? 0.3 : 0.45) * factor;
  if (base < 1) return 0.1 * base * factor;
  if (factor === 1 && base < 100) return 0.4;
  const zeros = /0*$/u.exec(String(base))?.[0].length ?? 0;
  return Math.min(0.5 * 10 ** zeros * factor, 0.049 * base * factor);
}

type UnboundedFigure = {
  readonly unit: Unit & { readonly end: number };
  readonly start: number;
  readonly value: number;
  readonly half: number;
  readonly isAtLeast: boolean;
};

/** "Over" before a period, as in "$160m over 7 years", does not mean "more than". */
const overPeriod = new RegExp(
  '(?:\\d ?(?:[kmbt]n?)?|%|' +
    '\\b(?:million|billion|yuan|dollars?|euros?|percent|spread|spent|paid|phased)) over $',
  'u',
);

function applyBound(text: string, unbounded: UnboundedFigure): Figure {
  const { unit, start, value, half } = unbounded;
  const head = text.slice(Math.max(0, start - 24), start);
  const tail = text.slice(unit.end, unit.end + 10);
  const figure = { kind: unit.kind, unit: unit.unit, value, start, end: unit.end };
  const wideMargin = Math.max(half, 0.1 * value);
  if (atLeastCue.test(head)) return { ...figure, low: value - half, high: value * 2, bound: '≥' };
  if (atMostCue.test(head)) return { ...figure, low: value * 0.5, high: value + half, bound: '≤' };
  const isOverPeriod = unit.kind === 'duration' && overPeriod.test(head);
  if ((overCue.test(head) && !isOverPeriod) || overCueAfter.test(tail) || unbounded.isAtLeast) {
    return { ...figure, low: value - half, high: value * 1.25 + half, bound: '≥' };
  }
  if (almostCue.test(head)) {
    return { ...figure, low: value - wideMargin, high: value + half, bound: '~' };
  }
  if (aboutCue.test(head) || aboutCueAfter.test(tail)) {
    return { ...figure, low: value - wideMargin, high: value + wideMargin, bound: '~' };
  }
  return { ...figure, low: value - half, high: value + half, bound: '' };
}

/** Two numbers that form one figure: "3 hours and 25 minutes", "1.2 to 1.5 billion dollars". */
function joinFigures(text: string, a: Figure, b: Figure): Figure | null {
  const between = text.slice(a.end, b.start);
  const isDuration = a.kind === 'duration' && b.kind === 'duration';
  const isSmallerUnit = isDuration && b.value < a.value && b.high - b.low < a.high - a.low;
  if (isSmallerUnit && a.bound === '' && /^\s?(?:and|,|零|又)?\s?$/u.test(between)) {
    const half = b.value - b.low;
    const value = a.value + b.value;
    return { ...a, value, low: value - half, high: value + half, end: b.end };
  }
  if (isWordSum(text, a, between) && b.value < a.value / 2 && /^\p{L}/u.test(text.slice(b.start))) {
    const value = a.value + b.value;
    const half = Math.min(b.value - b.low, 0.049 * value);
    return { ...b, value, low: value - half, high: value + half, start: a.start, bound: a.bound };
  }
  const head = text.slice(Math.max(0, a.start - 9), a.start);
  const rangeWord = /\bbetween\s?$/u.test(head)
    ? /^\s?and\s?$/u
    : /^\s?(?:-|~|to|至|到|or|或)\s?$/u;
  if (!rangeWord.test(between) || /(?:\bfrom|从|由|自)\s?$/u.test(head)) return null;
  const low = rangeStart(a, b);
  if (low === null || low >= b.value) return null;
  const value = (low + b.value) / 2;
  return { ...b, value, low: low * 0.98, high: b.high, start: a.start, bound: '~' };
}

/** "Two thousand" of "two thousand one hundred". */
function isWordSum(text: string, a: Figure, between: string): boolean {
  const isWords = /^[a-z -]+ (?:thousand|million|billion)$/u.test(
    text.slice(a.start, a.end).trim(),
  );
  return isWords && a.kind === 'count' && /^ (?:and )?$/u.test(between);
}

/** The start of a range in the unit of its end: "1.2" in "1.2 to 1.5 billion". */
function rangeStart(a: Figure, b: Figure): number | null {
  const isWithoutOwnUnit = a.kind === 'count' || (a.kind === b.kind && a.unit === b.unit);
  if (!isWithoutOwnUnit) return null;
  if (a.kind === b.kind && a.value > 0.02 * b.value) return a.value;
  for (const factor of [60, 3600, 86_400, 604_800, 2_629_800, 31_557_600]) {
    const isUnit = b.kind === 'duration' && Math.abs(b.value % factor) < 1;
    if (isUnit && a.value * factor < b.value && a.value < 100) return a.value * factor;
  }
  for (const factor of [1, 1e3, 1e4, 1e6, 1e8, 1e9, 1e12]) {
    const scaled = a.value * factor;
    if (scaled < b.value && scaled > 0.1 * b.value) return scaled;
  }
  return null;
}
