// The periods of reports, their due times and windows, by the contract's schedule in Asia/Shanghai.
// A period is identified by its dates and does not depend on stored data.
import { Temporal } from 'temporal-polyfill';
import type { ReportKind } from '../../store/schema/stories.ts';

export type ReportPeriod = {
  readonly kind: ReportKind;
  /** `2026-09-24`, `2026-W39` or `2026-09`. */
  readonly key: string;
  /** First and last day, YYYY-MM-DD. They are equal for a daily. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Epoch milliseconds: from the start of the first daily to the end of the last. */
  readonly windowStart: number;
  readonly windowEnd: number;
  readonly dueAt: number;
};

const ZONE = 'Asia/Shanghai';
const WINDOW_START = '08:00';
const WEEKLY_TIME = '10:00';
const MONTHLY_TIME = '10:30';

/** The daily of a date. */
export function dailyOf(day: string): ReportPeriod {
  const date = Temporal.PlainDate.from(day);
  const windowEnd = instantOf(date, WINDOW_START);
  return {
    kind: 'daily',
    key: date.toString(),
    firstDay: date.toString(),
    lastDay: date.toString(),
    windowStart: instantOf(date.subtract({ days: 1 }), WINDOW_START),
    windowEnd,
    dueAt: windowEnd,
  };
}

/** The weekly whose Monday to Sunday contains a date (ISO 8601). */
export function weeklyOf(day: string): ReportPeriod {
  const date = Temporal.PlainDate.from(day);
  const monday = date.subtract({ days: date.dayOfWeek - 1 });
  const sunday = monday.add({ days: 6 });
  return periodBetween('weekly', weekKeyOf(date), monday, sunday, WEEKLY_TIME);
}

/** The monthly whose month contains a date. */
export function monthlyOf(day: string): ReportPeriod {
  const date = Temporal.PlainDate.from(day);
  const first = date.with({ day: 1 });
  const last = date.with({ day: date.daysInMonth });
  return periodBetween('monthly', date.toPlainYearMonth().toString(), first, last, MONTHLY_TIME);
}

/** The period of a key; null when the key is not a real date, week or month. */
export function periodOf(kind: ReportKind, key: string): ReportPeriod | null {
  const day = firstDayOf(kind, key);
  if (day === null) return null;
  const period = { daily: dailyOf, weekly: weeklyOf, monthly: monthlyOf }[kind](day);
  return period.key === key ? period : null;
}

export type ReportDate = {
  readonly day: string;
  /** The week or month that ends on this day; null: none. */
  readonly endingWeek: string | null;
  readonly endingMonth: string | null;
};

/**
 * Dates of dailies, from the daily whose window contains `from` to the last whose window ended by
 * `to`. Both are epoch milliseconds.
 */
export function datesBetween(from: number, to: number): readonly ReportDate[] {
  const dates: ReportDate[] = [];
  const last = openDate(to).subtract({ days: 1 });
  let date = openDate(from);
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    const next = date.add({ days: 1 });
    dates.push({
      day: date.toString(),
      endingWeek: date.dayOfWeek === 7 ? weekKeyOf(date) : null,
      endingMonth: next.day === 1 ? date.toPlainYearMonth().toString() : null,
    });
    date = next;
  }
  return dates;
}

/** The period of this kind that is in progress, or ended and not due yet. */
export function nextPeriod(kind: ReportKind, now: number): ReportPeriod {
  const openDay = openDate(now);
  if (kind === 'daily') return dailyOf(openDay.toString());
  const longPeriodOf = kind === 'weekly' ? weeklyOf : monthlyOf;
  const before = longPeriodOf(openDay.subtract({ days: 1 }).toString());
  return before.dueAt > now ? before : longPeriodOf(openDay.toString());
}

/** The date of the daily whose window an instant falls in. */
function openDate(at: number): Temporal.PlainDate {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE);
  const isBefore = Temporal.PlainTime.compare(local.toPlainTime(), WINDOW_START) < 0;
  return local.toPlainDate().add({ days: isBefore ? 0 : 1 });
}

function weekKeyOf(date: Temporal.PlainDate): string {
  const week = String(date.weekOfYear).padStart(2, '0');
  return `${String(date.yearOfWeek).padStart(4, '0')}-W${week}`;
}

export function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}

function periodBetween(
  kind: 'weekly' | 'monthly',
  key: string,
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
  dueTime: string,
): ReportPeriod {
  return {
    kind,
    key,
    firstDay: first.toString(),
    lastDay: last.toString(),
    windowStart: instantOf(first.subtract({ days: 1 }), WINDOW_START),
    windowEnd: instantOf(last, WINDOW_START),
    dueAt: instantOf(last.add({ days: 1 }), dueTime),
  };
}

function instantOf(date: Temporal.PlainDate, time: string): number {
  return date.toZonedDateTime({ timeZone: ZONE, plainTime: time }).epochMilliseconds;
}

function firstDayOf(kind: ReportKind, key: string): string | null {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(key) ?? [];
  try {
    if (kind === 'daily') return Temporal.PlainDate.from(key).toString();
    if (kind === 'monthly')
      return Temporal.PlainYearMonth.from(key).toPlainDate({ day: 1 }).toString();
    if (year === undefined || week === undefined) return null;
    // 4 January is always in its year's first week.
    const januaryFourth = Temporal.PlainDate.from(`${year}-01-04`);
    return januaryFourth.add({ weeks: Number(week) - 1 }).toString();
  } catch {
    return null;
  }
}
