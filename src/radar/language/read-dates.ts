// Finds the calendar days in a text: "18 November", "Nov. 18", "11月18日", "Tuesday", "yesterday",
// 昨天, 周二. Relative days are resolved by the time of the report.
import { DAY_MS } from '../../kernel/time/durations.ts';
import { cuePattern } from './cues.ts';
import { readHanNumber } from './read-number.ts';

export type DayMention = {
  readonly start: number;
  readonly end: number;
  /** `2026-11-18`. */
  readonly value: string;
};

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthPattern =
  '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|' +
  'ober|ember)?';
const dayPattern = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const yearAfter = '(?:,?\\s+(?<year>20\\d\\d))?';
const datePatterns = [
  new RegExp(`\\b${monthPattern}\\.?\\s+${dayPattern}\\b(?!\\.\\d)${yearAfter}`, 'gu'),
  new RegExp(`\\b${dayPattern}\\s+(?:of\\s+)?${monthPattern}(?![a-z])${yearAfter}`, 'gu'),
  /(?:(?<year>20\d\d)\s*年\s*)?(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*[日号]/gu,
  /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/gu,
];
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
  .concat(' thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth')
  .concat(' twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth')
  .concat(' twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first')
  .split(' ');
/** "The fourth of November", 九月十五日. */
const ordinalDatePatterns = [
  new RegExp(`\\b(?<day>${ordinals.toReversed().join('|')}) of ${monthPattern}(?![a-z])`, 'gu'),
  new RegExp(
    '(?<![一二三四五六七八九十])(?<month>[一二三四五六七八九十]{1,2})月(?<day>' +
      '[一二三四五六七八九十]{1,3})[日号]',
    'gu',
  ),
];
const monthEndPattern = new RegExp(
  `\\b(?:the )?end(?: of|-)\\s?${monthPattern}\\b|(?<![\\d年])(?<month>\\d{1,2})月底`,
  'gu',
);
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const hanWeekdays = '日一二三四五六';
const weekdayPattern = cuePattern('relative', 'gu');
const relativeDayPattern = /\b(?:yesterday|today|tomorrow)\b|昨日|昨天|今日|今天|明日|明天/gu;
const dayOffsets: Readonly<Record<string, number>> = {
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  昨日: -1,
  昨天: -1,
  今日: 0,
  今天: 0,
  明日: 1,
  明天: 1,
};

/** `text` is folded and in lower case, `at` is in epoch milliseconds. The result is unordered. */
export function readDays(text: string, at: number): readonly DayMention[] {
  const mentions: DayMention[] = [];
  for (const pattern of datePatterns) {
    for (const match of text.matchAll(pattern)) {
      const value = resolveDay(match.groups ?? {}, at, isFutureDay(text, match));
      if (value !== null) mentions.push(createMention(match, value));
    }
  }
  for (const match of ordinalDatePatterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const { month = '', day = '' } = match.groups ?? {};
    const isHan = /\p{sc=Han}/u.test(month);
    const parts = isHan
      ? { month: String(readHanNumber(month) ?? 0), day: String(readHanNumber(day) ?? 0) }
      : { month, day: String(ordinals.indexOf(day) + 1) };
    const value = resolveDay(parts, at, isFutureDay(text, match));
    if (value !== null) mentions.push(createMention(match, value));
  }
  for (const match of text.matchAll(monthEndPattern)) {
    // Every month has a day 28, which is then replaced by the last day.
    const monthDay = { ...match.groups, day: '28' };
    const value = resolveDay(monthDay, at, isFutureDay(text, match));
    if (value !== null) mentions.push(createMention(match, lastDayOfMonth(value)));
  }
  for (const match of text.matchAll(weekdayPattern)) {
    const { en, zh = '' } = match.groups ?? {};
    const head = text.slice(0, match.index);
    const day =
      en === undefined
        ? resolveHanWeekday(at, hanWeekdays.indexOf(zh === '天' ? '日' : zh), head)
        : resolveWeekday(at, weekdays.indexOf(en), comingCue.test(head));
    mentions.push(createMention(match, isoDay(day)));
  }
  for (const match of text.matchAll(relativeDayPattern)) {
    mentions.push(createMention(match, isoDay(at + (dayOffsets[match[0]] ?? 0) * DAY_MS)));
  }
  return mentions;
}

function lastDayOfMonth(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return isoDay(Date.UTC(year, month, 0));
}

function createMention(match: RegExpExecArray, value: string): DayMention {
  return { start: match.index, end: match.index + match[0].length, value };
}

/** Lengths of the text before and after a day that can have a cue. */
const CUE_CHARACTERS = { before: 40, after: 8 };

/** True when the words around a day indicate the future: "until", "by", 将, 截止. */
function isFutureDay(text: string, match: RegExpExecArray): boolean {
  // "By" before an amount, as in "lowered by 50 percent on 10 November", is no future cue.
  const head = text
    .slice(Math.max(0, match.index - CUE_CHARACTERS.before), match.index)
    .replace(/\bby (?=[$€£]?\d|(?:an?|half|about|nearly|more|over) )/u, '');
  const end = match.index + match[0].length;
  const tail = text.slice(end, end + CUE_CHARACTERS.after);
  return comingCue.test(head) || futureCue.test(head) || futureCueAfter.test(tail);
}

const futureCue = cuePattern('ahead');
const futureCueAfter = /^\s?(?:前|之前|截止|为止|开[售播幕]|首销|上映)/u;

/**
 * Without a year in the text, the day nearest to the report is meant. `isNext`: only days from two
 * days before the report on are possible.
 */
function resolveDay(
  parts: Readonly<Record<string, string | undefined>>,
  at: number,
  isNext: boolean,
): string | null {
  const { month = '', day = '', year: statedYear } = parts;
  const monthIndex = /^\d/u.test(month) ? Number(month) - 1 : monthNames.indexOf(month);
  const date = Number(day);
  if (monthIndex < 0 || monthIndex > 11 || date < 1 || date > 31) return null;
  if (statedYear !== undefined) return isoDay(Date.UTC(Number(statedYear), monthIndex, date));
  const reportYear = new Date(at).getUTCFullYear();
  const nearest = [reportYear - 1, reportYear, reportYear + 1]
    .map((year) => Date.UTC(year, monthIndex, date))
    .filter((time) => !isNext || time > at - 2 * DAY_MS)
    .reduce((best, time) => (Math.abs(time - at) < Math.abs(best - at) ? time : best));
  return isoDay(nearest);
}

const comingCue = cuePattern('is-coming');

/** Chinese weeks begin on Monday: 本周五 is in this week, 下周五 in the next. */
function resolveHanWeekday(at: number, weekday: number, head: string): number {
  const today = (new Date(at).getUTCDay() + 6) % 7;
  const offset = ((weekday + 6) % 7) - today;
  if (/下$/u.test(head)) return at + (offset + 7) * DAY_MS;
  if (/上$/u.test(head)) return at + (offset - 7) * DAY_MS;
  const isThisWeek = /(?:本|这|将|定于|拟)[^,，;。]{0,12}$/u.test(head);
  return at + (offset > 0 && !isThisWeek ? offset - 7 : offset) * DAY_MS;
}

/** "Tuesday" in news is the last Tuesday, unless the text names the next one. */
function resolveWeekday(at: number, weekday: number, isNext: boolean): number {
  const today = new Date(at).getUTCDay();
  return isNext
    ? at + (((weekday - today + 6) % 7) + 1) * DAY_MS
    : at - ((today - weekday + 7) % 7) * DAY_MS;
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
