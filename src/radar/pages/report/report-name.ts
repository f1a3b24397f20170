// The name of an issue for readers: "Monday 23 November", "Week 46 · 9–15 November", "November
// 2026". The key stays in the address.
import { Temporal } from 'temporal-polyfill';
import { messagesOf } from '../messages/reader.ts';
import { dayName, monthName } from '../show-time.ts';
import type { ReportPageName } from './report-lead.ts';

type Language = 'en' | 'zh-CN';

export function issueName(name: ReportPageName, key: string, language: Language): string {
  if (name === 'daily') return dayName(language, noonOf(key));
  if (name === 'monthly') return monthName(language, key);
  const [year = '', week = ''] = key.split('-W');
  const monday = mondayOf(Number(year), Number(week));
  const days = daySpan(monday, monday.add({ days: 6 }), language);
  return messagesOf(language).week(Number(week), days);
}

/** An instant within a day in Asia/Shanghai. */
const noonOf = (day: string) => Date.parse(`${day}T12:00:00+08:00`);

/** The Monday of an ISO week: week 1 contains 4 January. */
function mondayOf(year: number, week: number): Temporal.PlainDate {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  return fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ days: (week - 1) * 7 });
}

/** `9–15 November`, `30 November – 6 December`; 11月9日至15日. */
function daySpan(from: Temporal.PlainDate, to: Temporal.PlainDate, language: Language): string {
  const isOneMonth = from.month === to.month;
  if (language === 'zh-CN') {
    return `${from.month}月${from.day}日至${isOneMonth ? '' : `${to.month}月`}${to.day}日`;
  }
  const month = (date: Temporal.PlainDate) =>
    monthName('en', date.toString().slice(0, 7)).split(' ')[0];
  if (isOneMonth) return `${from.day}–${to.day} ${month(to)}`;
  return `${from.day} ${month(from)} – ${to.day} ${month(to)}`;
}
