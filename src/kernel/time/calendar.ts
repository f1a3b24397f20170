// Computes calendar days in the radar's time zone with the platform's calendar.
import { Temporal } from 'temporal-polyfill';

/** RFC 3339 in UTC with milliseconds, the format of every time on the wire. */
export function toWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Epoch milliseconds of an RFC 3339 time; null for other text and for impossible dates. */
export function parseWireTime(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}

/**
 * Whether `text` is a valid calendar date, YYYY-MM-DD, of the year 1000 or later. PostgreSQL has no
 * year 0, in which the first days of the year 1 begin in UTC.
 */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && canCreate(() => Temporal.PlainDate.from(text));
}

/** Whether `text` is a valid month, YYYY-MM. */
export function isMonth(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text) && canCreate(() => Temporal.PlainYearMonth.from(text));
}

/** Whether `text` is a valid ISO week, YYYY-Www: 2026-W53 exists, 2025-W53 does not (ISO 8601). */
export function isWeek(text: string): boolean {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year === undefined || week === undefined || Number(week) < 1) return false;
  return canCreate(() => {
    // 28 December always belongs to the last ISO week of its year.
    const lastWeek = Temporal.PlainDate.from(`${year}-12-28`).weekOfYear ?? 0;
    if (Number(week) > lastWeek) throw new RangeError('no such week');
  });
}

function canCreate(create: () => unknown): boolean {
  try {
    create();
    return true;
  } catch {
    return false;
  }
}

export type Day = {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** First instant of the day and of the next day, in epoch milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
};

/** Caches the last day while it is valid, because every request needs it. */
function cacheDays(find: (epochMs: number) => Day): (epochMs: number) => Day {
  let lastDay: Day | null = null;
  return (epochMs) => {
    if (lastDay === null || epochMs < lastDay.startsAt || epochMs >= lastDay.endsAt)
      lastDay = find(epochMs);
    return lastDay;
  };
}

/** The calendar day of an instant in Asia/Shanghai, the radar's time zone. */
export const shanghaiDay = cacheDays((epochMs): Day => {
  const start = Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO('Asia/Shanghai')
    .startOfDay();
  return {
    day: start.toPlainDate().toString(),
    startsAt: start.epochMilliseconds,
    endsAt: start.add({ days: 1 }).epochMilliseconds,
  };
});

/**
 * Noon of a day (YYYY-MM-DD). Noon belongs to the same day in every historical offset of Shanghai.
 */
export const shanghaiNoon = (day: string): number => Date.parse(`${day}T12:00:00+08:00`);

export const parseShanghaiDay = (day: string): Day => shanghaiDay(shanghaiNoon(day));

/** The calendar month of an instant in Asia/Shanghai; `day` is its first day. */
export const shanghaiMonth = cacheDays((epochMs): Day => {
  const start = Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO('Asia/Shanghai')
    .with({ day: 1 })
    .startOfDay();
  return {
    day: start.toPlainDate().toString(),
    startsAt: start.epochMilliseconds,
    endsAt: start.add({ months: 1 }).epochMilliseconds,
  };
});

/** The Shanghai day and month of an instant, YYYY-MM-DD and YYYY-MM, for budgets. */
export function periodsAt(epochMs: number): { readonly day: string; readonly month: string } {
  return {
    day: shanghaiDay(epochMs).day,
    month: shanghaiMonth(epochMs).day.slice(0, 'YYYY-MM'.length),
  };
}

/** The number of days from `from` to `to`, both YYYY-MM-DD; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;
}

/** `2026-11-22 09:30` in Asia/Shanghai. */
export function formatShanghai(epochMs: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO('Asia/Shanghai');
  return at.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

/** The instant of a text that `formatShanghai` returns; null for other text. */
export function parseShanghai(text: string): number | null {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/.exec(text.trim()) ?? [];
  if (day === undefined || time === undefined) return null;
  try {
    const at = Temporal.PlainDateTime.from(`${day}T${time}`, { overflow: 'reject' });
    return at.toZonedDateTime('Asia/Shanghai').epochMilliseconds;
  } catch {
    return null;
  }
}
