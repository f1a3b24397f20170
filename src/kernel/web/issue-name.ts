// Formats the name of an issue on pages: "Monday 23 November", "Week 46 · 9–15 November", "November
// 2026". The address of the page contains the key instead.
import { Temporal } from 'temporal-polyfill';
import { shanghaiNoon } from '../time/calendar.ts';
import { formatDayName, formatMonth } from './format-time.ts';
import type { Language } from './language.ts';

export type IssueKind = 'daily' | 'weekly' | 'monthly';

export function formatIssueName(kind: IssueKind, key: string, language: Language): string {
  if (kind === 'daily') {
    const noon = shanghaiNoon(key);
    return formatDayName(language, noon, noon);
  }
  if (kind === 'monthly') return formatMonth(language, shanghaiNoon(`${key}-15`));
  const [year = '', week = ''] = key.split('-W');
  const monday = findMonday(Number(year), Number(week));
  const days = formatDaySpan(monday, monday.add({ days: 6 }), language);
  return language === 'en' ? `Week ${Number(week)} · ${days}` : `第 ${Number(week)} 周 · ${days}`;
}

/** The Monday of an ISO week: week 1 contains 4 January. */
function findMonday(year: number, week: number): Temporal.PlainDate {
  const januaryFourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  return januaryFourth
    .subtract({ days: januaryFourth.dayOfWeek - 1 })
    .add({ days: (week - 1) * 7 });
}

/** `9–15 November`, `30 November – 6 December`; 11月9日至15日. */
function formatDaySpan(
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
  language: Language,
): string {
  const isOneMonth = from.month === to.month;
  if (language === 'zh-CN') {
    return `${from.month}月${from.day}日至${isOneMonth ? '' : `${to.month}月`}${to.day}日`;
  }
  const month = (date: Temporal.PlainDate) =>
    formatMonth('en', shanghaiNoon(date.toString())).split(' ')[0];
  if (isOneMonth) return `${from.day}–${to.day} ${month(to)}`;
  return `${from.day} ${month(from)} – ${to.day} ${month(to)}`;
}
