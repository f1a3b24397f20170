// Relative dates: "3 days ago", "yesterday at 10:30", "2h", 昨天 22:10, 3小时前, 刚刚.

import type { Temporal } from 'temporal-polyfill';
import { type FoundDate, findTimeOfDay, readChineseNumber } from './absolute-date.ts';

type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

const englishUnits: readonly (readonly [RegExp, Unit])[] = [
  [/^(s|secs?|seconds?)$/, 'seconds'],
  [/^(m|mins?|minutes?)$/, 'minutes'],
  [/^(h|hrs?|hours?)$/, 'hours'],
  [/^(d|days?)$/, 'days'],
  [/^(w|wks?|weeks?)$/, 'weeks'],
  [/^(mo|mos|months?)$/, 'months'],
  [/^(y|yrs?|years?)$/, 'years'],
];
/** By the first character of the unit: 星期 and 礼拜 are weeks. */
const chineseUnits: Readonly<Record<string, Unit>> = {
  秒: 'seconds',
  分: 'minutes',
  时: 'hours',
  時: 'hours',
  天: 'days',
  日: 'days',
  周: 'weeks',
  星: 'weeks',
  礼: 'weeks',
  月: 'months',
  年: 'years',
};

const agoPattern = /\b(an?|one|\d{1,3}) ?([a-z]+)\.? ago\b/i;
// "2h" and "3d" alone are the form of social pages. Inside a sentence they have other meanings.
const shortPattern = /^(\d{1,3}) ?(s|m|min|h|hr|d|w|mo|y)$/i;
const chineseCount = '(\\d{1,3}|[一二两三四五六七八九十]{1,3}|半|几)';
const chineseUnit = '(秒钟?|分钟?|小?[时時]|天|日|周|星期|礼拜|月|年)';
const chineseAgo = new RegExp(`${chineseCount} ?个?多?${chineseUnit}[之以]?前`);

/** `now` is the local date and time in the page's zone. Null when the text has no relative date. */
export function findRelativeDate(text: string, now: Temporal.PlainDateTime): FoundDate | null {
  const lower = text.toLowerCase();
  if (/\bjust now\b|\bmoments? ago\b|刚刚|刚才/.test(lower)) return foundDateOf(now);
  const englishMatch = agoPattern.exec(lower) ?? shortPattern.exec(lower);
  if (englishMatch !== null)
    return subtractUnit(now, countOf(englishMatch[1] ?? ''), unitOf(englishMatch[2] ?? ''));
  const chineseMatch = chineseAgo.exec(text);
  if (chineseMatch !== null)
    return subtractChineseUnit(now, chineseMatch[1] ?? '', chineseMatch[2] ?? '');
  const days = daysSinceNamedDay(lower);
  if (days === null) return null;
  const day = foundDateOf(now.subtract({ days }).withPlainTime());
  return { ...day, ...(findTimeOfDay(text) ?? {}) };
}

function daysSinceNamedDay(text: string): number | null {
  if (/前天/.test(text)) return 2;
  if (/\byesterday\b|昨[天日晚]/.test(text)) return 1;
  if (/\btoday\b|今[天日晨早晚]/.test(text)) return 0;
  return null;
}

function countOf(word: string): number {
  return /^\d+$/.test(word) ? Number(word) : 1;
}

function unitOf(word: string): Unit | null {
  return englishUnits.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}

function subtractChineseUnit(
  now: Temporal.PlainDateTime,
  count: string,
  unit: string,
): FoundDate | null {
  const name = chineseUnits[unit.startsWith('小') ? '时' : (unit[0] ?? '')] ?? null;
  // 半小时 is half an hour. 几天 (several days) has no number.
  if (count === '半') {
    return name === 'hours' ? subtractUnit(now, 30, 'minutes') : null;
  }
  if (count === '几') return null;
  const number = /^\d+$/.test(count) ? Number(count) : readChineseNumber(count.replace('两', '二'));
  return subtractUnit(now, number, name);
}

function subtractUnit(
  now: Temporal.PlainDateTime,
  count: number,
  unit: Unit | null,
): FoundDate | null {
  if (unit === null) return null;
  return foundDateOf(now.subtract({ [unit]: count }));
}

function foundDateOf(time: Temporal.PlainDateTime): FoundDate {
  const { year, month, day, hour, minute, second } = time;
  return { year, month, day, hour, minute, second, offsetMinutes: null };
}
