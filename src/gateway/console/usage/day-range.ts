// Days that were typed as the instants between which they lie, in Asia/Shanghai.
import { daysBetween, isDay, shanghaiDay, shanghaiMonth } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';

/** Noon is in the same day in any zone that ever was Shanghai's. */
const dayOf = (day: string) => shanghaiDay(Date.parse(`${day}T04:00:00Z`));

/** Empty text is no bound; null: one of them is no date, or they are the wrong way round. */
export function dayBounds(
  from: string,
  to: string,
): { readonly since?: number; readonly until?: number } | null {
  if ((from !== '' && !isDay(from)) || (to !== '' && !isDay(to))) return null;
  if (from !== '' && to !== '' && daysBetween(from, to) < 0) return null;
  return {
    ...(from !== '' && { since: dayOf(from).startsAt }),
    ...(to !== '' && { until: dayOf(to).endsAt }),
  };
}

export type DayRange = { readonly from: string; readonly to: string };

/** The last days, today included. */
export function lastDays(now: number, count: number): DayRange {
  const today = shanghaiDay(now);
  return {
    from: shanghaiDay(today.startsAt - (count - 1) * DAY_MS + 1).day,
    to: today.day,
  };
}

/** The month that is under way, up to today, and the whole of the one before. */
export function monthsAt(now: number): {
  readonly thisMonth: DayRange;
  readonly lastMonth: DayRange;
} {
  const { startsAt, day } = shanghaiMonth(now);
  const before = shanghaiMonth(startsAt - 1);
  return {
    thisMonth: { from: day, to: shanghaiDay(now).day },
    lastMonth: { from: before.day, to: shanghaiDay(startsAt - 1).day },
  };
}

/** Every day of the range, in order. */
export function daysOf({ from, to }: DayRange): readonly string[] {
  const days: string[] = [];
  for (let day = from; days.length <= 366; day = shanghaiDay(dayOf(day).endsAt).day) {
    days.push(day);
    if (day === to) break;
  }
  return days;
}
