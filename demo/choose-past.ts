// Chooses the start of the replayed past: forty days ago, or up to eight days earlier, so that the
// replay includes a monthly report.
import { DAY_MS } from '../src/kernel/time/durations.ts';
import { daysBefore } from './world/plan-events.ts';

export type ReplayedPast = {
  /** Epoch milliseconds. */
  readonly from: number;
  /**
   * Centre of the generated world, at most eight days before `now`. The world continues for ten
   * days.
   */
  readonly worldNow: number;
};

/** Minimum number of days of news for a monthly report. */
const MIN_NEWS_DAYS = 1.5;
/** The replay reaches a month's end within this number of days in less than a minute. */
const MONTH_END_DAYS = 21;
const EXTRA_DAYS_MAX = 8;

export function choosePast(now: number): ReplayedPast {
  const from = now - daysBefore * DAY_MS;
  const [thisMonth, lastMonth] = [startOfMonth(now, 0), startOfMonth(now, -1)];
  const hasMonthEndSoon =
    thisMonth - from <= MONTH_END_DAYS * DAY_MS || lastMonth - from >= MIN_NEWS_DAYS * DAY_MS;
  const missingDays = hasMonthEndSoon ? 0 : Math.ceil((from - lastMonth) / DAY_MS + MIN_NEWS_DAYS);
  const extraMs = (missingDays <= EXTRA_DAYS_MAX ? missingDays : 0) * DAY_MS;
  return { from: from - extraMs, worldNow: now - extraMs };
}

/** The first instant of the month of `at`, shifted by `months`. */
function startOfMonth(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
