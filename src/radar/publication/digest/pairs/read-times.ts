// Times that a text names besides whole dates: a day of the month (18日), a month, a year, an hour.
// Each is an interval, so that "in June" and "12 June" can be one.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { readHanNumber } from '../../../language/read-number.ts';
import type { ValueSpan } from './mention.ts';

/**
 * Epoch milliseconds; of a year the year, of an hour its minutes. `zone` is an hour of another time
 * zone, which is compared with nothing.
 */
export type TimeSpan = ValueSpan<'date' | 'year' | 'clock' | 'zone'>;

type Place = { readonly start: number; readonly end: number };

const monthNames = 'january february march april may june july august september october'
  .concat(' november december')
  .split(' ');
const dayOnly = /(?<![\d月.第+])(?<d>\d{1,2})[日号](?!线|内|之内|以内)/gu;
const monthOnly = new RegExp(
  `\\b(?:in|by|from|until|since|of|this|early|late|mid-?)\\s?(?<m>${monthNames.join('|')})\\b` +
    '(?! \\d{1,2}(?!\\d))(?: (?<y>20\\d\\d))?',
  'gu',
);
const hanNamedMonth = new RegExp(
  '(?<![\\d一二三四五六七八九十个第])(?<z>十[一二]?|[一二三四五六七八九])月(?:份|初|中旬?|底|末)?' +
    '(?![一二三四五六七八九十\\d])',
  'gu',
);
const hanMonth = /(?<!\d)(?:(?<y>20\d\d)年)?(?<n>\d{1,2})月(?:份|初|中旬?|底|末)?(?!\d)/gu;
const yearOnly = new RegExp(
  '\\b(?:in|since|until|by|of|early|late|spring|summer|autumn|winter|before|after|from|end) ' +
    '(?<en>(?:19|20)\\d\\d)\\b(?!\\.\\d)|(?<!\\d)(?<zh>(?:19|20)\\d\\d)年(?!\\d)',
  'gu',
);
const zones = /\b(?:gmt|utc|est|pst|et|pt|cet|pacific|eastern|local time)\b|北京时间|当地时间/u;
const clock = new RegExp(
  '(?<![\\d.])(?<h>\\d{1,2})(?:(?<p>[:时点])(?<m>\\d{1,2})?分?(?<some>许|左右|多)?)?' +
    '(?:\\s?(?<half>[ap])\\.?m\\b)?',
  'gu',
);

/** In a folded, lower-case sentence of a report of the instant `at`; not where `taken` stands. */
export function readTimes(text: string, at: number, taken: readonly Place[]): readonly TimeSpan[] {
  if (!/\d/u.test(text) && !/[a-z]/u.test(text)) return [];
  const found: TimeSpan[] = [];
  const add = (match: RegExpExecArray, time: Omit<TimeSpan, 'start' | 'end'> | null) => {
    const place = { start: match.index, end: match.index + match[0].length };
    const isTaken = [...taken, ...found].some(
      (other) => place.start < other.end && other.start < place.end,
    );
    if (time !== null && !isTaken) found.push({ ...time, ...place });
  };
  for (const match of text.matchAll(dayOnly)) add(match, dayOfMonth(Number(match.groups?.d), at));
  for (const match of text.matchAll(monthOnly)) {
    add(match, monthOf(monthNames.indexOf(match.groups?.m ?? ''), match.groups?.y, at));
  }
  for (const match of text.matchAll(hanMonth)) {
    add(match, monthOf(Number(match.groups?.n) - 1, match.groups?.y, at));
  }
  for (const match of text.matchAll(hanNamedMonth)) {
    add(match, monthOf((readHanNumber(match.groups?.z ?? '') ?? 0) - 1, undefined, at));
  }
  for (const match of text.matchAll(yearOnly)) {
    const value = Number(match.groups?.en ?? match.groups?.zh);
    add(match, { kind: 'year', value, low: value - 0.4, high: value + 0.4, bound: '' });
  }
  const kind = zones.test(text) ? 'zone' : 'clock';
  for (const match of text.matchAll(clock)) add(match, hourOf(text, match, kind));
  return found;
}

function dayOfMonth(day: number, at: number): Omit<TimeSpan, 'start' | 'end'> | null {
  if (day < 1 || day > 31) return null;
  const now = new Date(at);
  const value = [-1, 0, 1]
    .map((step) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, day))
    .reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best));
  return { kind: 'date', value, low: value - 0.6 * DAY_MS, high: value + 0.6 * DAY_MS, bound: '' };
}

/** A month without a year is the one nearest to the report. */
function monthOf(
  index: number,
  year: string | undefined,
  at: number,
): Omit<TimeSpan, 'start' | 'end'> | null {
  if (index < 0 || index > 11) return null;
  const now = new Date(at).getUTCFullYear();
  // "In December 2027" is compared with "the spring of 2031" by its year.
  if (year !== undefined && Math.abs(Number(year) - now) > 1) {
    const value = Number(year);
    return { kind: 'year', value, low: value - 0.4, high: value + 0.4, bound: '' };
  }
  const years = year === undefined ? [now - 1, now, now + 1] : [Number(year)];
  const gap = (first: number) => Math.abs(first + 15 * DAY_MS - at);
  const first = years
    .map((one) => Date.UTC(one, index, 1))
    .reduce((best, one) => (gap(one) < gap(best) ? one : best));
  const begin = new Date(first);
  const next = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1);
  const bounds = { low: first - 0.5 * DAY_MS, high: next + 0.5 * DAY_MS };
  return { kind: 'date', value: first + 14 * DAY_MS, ...bounds, bound: '~' };
}

function hourOf(
  text: string,
  match: RegExpExecArray,
  kind: 'clock' | 'zone',
): Omit<TimeSpan, 'start' | 'end'> | null {
  const { h = '', p, m, some, half } = match.groups ?? {};
  const isColon = p === ':';
  if ((isColon && m?.length !== 2) || (p === undefined && half === undefined)) return null;
  // "As of 10 a.m." says when a report was written.
  if (/(?:截至|\bas of )[^，。,.;]{0,10}$/u.test(text.slice(0, match.index))) return null;
  const hour = Number(h);
  const minute = Number(m ?? 0);
  if (hour > 24 || minute > 59) return null;
  const isLate =
    half === 'p' || /下午|晚|夜/u.test(text.slice(Math.max(0, match.index - 4), match.index));
  const value = (isLate && hour < 12 ? hour + 12 : hour) * 60 + minute;
  const slack = m === undefined || some !== undefined ? 40 : 8;
  return { kind, value, low: value - slack, high: value + slack, bound: '' };
}
