// Finds dates that name a day: 2026-08-22, Aug 22 2026, 22 August, 2026年8月22日, 8月22日,
// 22/08/2026. A date without a year is the latest one that is at most a day ahead.
import type { Temporal } from 'temporal-polyfill';

export type DateOrder = 'auto' | 'dmy' | 'mdy' | 'ymd';

export type FoundDate = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** East of UTC; null when the text has no zone. */
  readonly offsetMinutes: number | null;
};

type Day = { readonly year: number; readonly month: number; readonly day: number };
type DateMatch = { readonly day: Day; readonly end: number; readonly start: number };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

const yearFirstDate = /(?<!\d)((?:19|20)\d\d) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,2})(?!\d)/;
const compactDate = /(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)/;
const chineseDate = /(?:(\d{4}|\d{2}) ?年 ?)?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号號]/;
const dayMonth = new RegExp(
  `(?<![\\d])(\\d{1,2})(?:st|nd|rd|th)?\\.?(?: of)?[ -]${monthName}\\b\\.?,?(?:[ -](\\d{4}))?`,
  'i',
);
const monthDay = new RegExp(
  `\\b${monthName}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? (\\d{4}))?`,
  'i',
);
const numericDate = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d])/;
const shortNumericDate = /(?<![\d/.-])(\d{1,2})([-/])(\d{1,2})(?![\d/.-])/;

/** The date in `text`. `today` supplies a missing year. */
export function findAbsoluteDate(
  text: string,
  today: Temporal.PlainDate,
  order: DateOrder,
): FoundDate | null {
  const normalized = toArabicNumerals(text);
  const foundDay = findDay(normalized, today, order);
  if (foundDay === null) return null;
  // The time usually follows the date; "10:30, 22 Aug" is the other form.
  const timeOfDay =
    findTimeOfDay(normalized.slice(foundDay.end)) ??
    findTimeOfDay(normalized.slice(0, foundDay.start));
  return { ...foundDay.day, ...(timeOfDay ?? midnight) };
}

function findDay(text: string, today: Temporal.PlainDate, order: DateOrder): DateMatch | null {
  return (
    matchDay(text, yearFirstDate, (match) => dayOf(match[1], match[3], match[4])) ??
    matchDay(text, chineseDate, (match) =>
      addYear(match[1], Number(match[2]), Number(match[3]), today),
    ) ??
    matchDay(text, dayMonth, (match) =>
      addYear(match[3], monthOf(match[2]), Number(match[1]), today),
    ) ??
    matchDay(text, monthDay, (match) =>
      addYear(match[3], monthOf(match[1]), Number(match[2]), today),
    ) ??
    matchDay(text, numericDate, (match) => readNumericDay(match, order)) ??
    matchDay(text, compactDate, (match) => dayOf(match[1], match[2], match[3])) ??
    matchDay(text, shortNumericDate, (match) => readShortDay(match, order, today))
  );
}

function matchDay(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Day | null,
): DateMatch | null {
  const match = pattern.exec(text);
  const day = match === null ? null : read(match);
  return match === null || day === null
    ? null
    : { day, start: match.index, end: match.index + match[0].length };
}

function dayOf(year?: string, month?: string, day?: string): Day {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

function monthOf(name = ''): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function addYear(
  year: string | undefined,
  month: number,
  day: number,
  today: Temporal.PlainDate,
): Day {
  if (year !== undefined) return { year: fullYear(year), month, day };
  // One day of tolerance, because the page's time zone may be ahead.
  const limit = today.add({ days: 1 });
  const isPast = month < limit.month || (month === limit.month && day <= limit.day);
  return { year: isPast ? limit.year : limit.year - 1, month, day };
}

function fullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}

function readNumericDay(match: RegExpExecArray, order: DateOrder): Day | null {
  const [first, second] = [Number(match[1]), Number(match[3])];
  const year = match[4] ?? '';
  if (order === 'ymd' && year.length === 2)
    return { year: 2000 + first, month: second, day: Number(year) };
  // 22.08.2026: with dots the day always comes first.
  const isDayFirst = order === 'dmy' || (order === 'auto' && (first > 12 || match[2] === '.'));
  if (isDayFirst) return { year: fullYear(year), month: second, day: first };
  const isMonthFirst = order === 'mdy' || (order === 'auto' && (second > 12 || first === second));
  return isMonthFirst ? { year: fullYear(year), month: first, day: second } : null;
}

function readShortDay(
  match: RegExpExecArray,
  order: DateOrder,
  today: Temporal.PlainDate,
): Day | null {
  const [first, second] = [Number(match[1]), Number(match[3])];
  // 08-22 is the short form of 2026-08-22 on Chinese pages. 8/22 needs a configured order.
  if (match[2] === '/' && order === 'auto') return null;
  const [month, day] = order === 'dmy' ? [second, first] : [first, second];
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return addYear(undefined, month, day, today);
}

const midnight = { hour: 0, minute: 0, second: 0, offsetMinutes: null } as const;
/** Groups: the Chinese half of the day, hour, minute, second, and the letter of am or pm. */
const clock = new RegExp(
  String.raw`(上午|下午|晚上|凌晨|早上|中午|傍晚)? ?(?<!\d)(\d{1,2}) ?[:时時点點] ?(\d{2})?` +
    String.raw`(?: ?[:分] ?(\d{2}))? ?(?:分|秒)?(?: ?([ap])\.?m\b\.?)?`,
  'i',
);
const bareHour = /(?<!\d)(\d{1,2}) ?([ap])\.?m\b/i;

/** The time of day in `text` with its zone, if any; null when there is none. */
export function findTimeOfDay(
  text: string,
): Pick<FoundDate, 'hour' | 'minute' | 'second' | 'offsetMinutes'> | null {
  const match = clock.exec(text);
  const hourOnly = match === null ? bareHour.exec(text) : null;
  if (match === null && hourOnly === null) return null;
  const statedHour = Number(match?.[2] ?? hourOnly?.[1]);
  const dayHalf = (match?.[5] ?? hourOnly?.[2] ?? '').toLowerCase();
  const isAfternoon = dayHalf === 'p' || /下午|晚上|傍晚/.test(match?.[1] ?? '');
  const isMorning = dayHalf === 'a' || match?.[1] === '凌晨';
  let hour = statedHour;
  if (isAfternoon && statedHour < 12) hour += 12;
  else if (isMorning && statedHour === 12) hour = 0;
  const minute = Number(match?.[3] ?? 0);
  const second = Number(match?.[4] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const end = match === null ? 0 : match.index + match[0].length;
  return { hour, minute, second, offsetMinutes: findZone(text.slice(end)) };
}

// Zone abbreviations of publishers' pages; each has one meaning there.
const zones: Readonly<Record<string, number>> = {
  GMT: 0,
  UTC: 0,
  Z: 0,
  BST: 60,
  CET: 60,
  CEST: 120,
  JST: 540,
  KST: 540,
  HKT: 480,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  SGT: 480,
  ET: -300,
  PT: -480,
};

function findZone(text: string): number | null {
  const offset = /^ ?(?:GMT|UTC)? ?([+-])(\d{1,2}):?(\d{2})?(?!\d)/.exec(text);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    // No time zone is farther from UTC.
    if (minutes > 14 * 60) return null;
    return offset[1] === '-' ? -minutes : minutes;
  }
  const name = /^ ?\(?([A-Z]{1,4})\b/.exec(text)?.[1];
  return name === undefined ? null : (zones[name] ?? null);
}

const digits = '〇一二三四五六七八九';

/** Writes Chinese numerals before a date word in digits: 二〇二六年八月 becomes 2026年8月. */
function toArabicNumerals(text: string): string {
  return text
    .replace(/([〇零一二三四五六七八九]{4})(?=年)/g, (year) =>
      [...year].map((char) => (char === '零' ? 0 : digits.indexOf(char))).join(''),
    )
    .replace(/[一二三四五六七八九]?十?[一二三四五六七八九]?(?=[月日号])/g, (numeral) =>
      numeral === '' ? '' : String(readChineseNumber(numeral)),
    );
}

/** 一 to 九十九 as a number. */
export function readChineseNumber(text: string): number {
  const tenIndex = text.indexOf('十');
  if (tenIndex === -1) return digits.indexOf(text.at(-1) ?? '');
  const tens = tenIndex === 0 ? 1 : digits.indexOf(text[0] ?? '');
  const unitDigit = tenIndex === text.length - 1 ? 0 : digits.indexOf(text[tenIndex + 1] ?? '');
  return tens * 10 + unitDigit;
}
