// Calculates ranges of days in Asia/Shanghai: the days of a form, the last days and the last
// months.
import {
  daysBetween,
  isDay,
  parseShanghaiDay,
  shanghaiDay,
  shanghaiMonth,
} from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';

/**
 * Returns the start of the first day and the end of the last day, in epoch milliseconds. `until`
 * is exclusive. An empty text means no bound. Null: an invalid date, or a start after the end.
 */
export function parseDayBounds(
  from: string,
  to: string,
): { readonly since?: number; readonly until?: number } | null {
  if ((from !== '' && !isDay(from)) || (to !== '' && !isDay(to))) return null;
  if (from !== '' && to !== '' && daysBetween(from, to) < 0) return null;
  return {
    ...(from !== '' && { since: parseShanghaiDay(from).startsAt }),
    ...(to !== '' && { until: parseShanghaiDay(to).endsAt }),
  };
}

export type DayRange = { readonly from: string; readonly to: string };

/** Returns the last `count` days, including today. */
export function lastDays(now: number, count: number): DayRange {
  return {
    from: shanghaiDay(now - (count - 1) * DAY_MS).day,
    to: shanghaiDay(now).day,
  };
}

/** Returns the current month up to today, and the whole previous month. */
export function monthsAt(now: number): {
  readonly thisMonth: DayRange;
  readonly lastMonth: DayRange;
} {
  const { startsAt, day } = shanghaiMonth(now);
  const previousMonth = shanghaiMonth(startsAt - 1);
  return {
    thisMonth: { from: day, to: shanghaiDay(now).day },
    lastMonth: { from: previousMonth.day, to: shanghaiDay(startsAt - 1).day },
  };
}

/** Lists every day of the range in order, at most 367 days. */
export function daysOf({ from, to }: DayRange): readonly string[] {
  const days: string[] = [];
  for (let day = from; days.length <= 366; day = shanghaiDay(parseShanghaiDay(day).endsAt).day) {
    days.push(day);
    if (day === to) break;
  }
  return days;
}
