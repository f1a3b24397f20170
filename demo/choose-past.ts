// Chooses the start of the replayed past: forty days ago, or up to eight days earlier. A monthly
// report then appears early in the replay.
import { DAY_MS } from '../src/kernel/time/durations.ts';
import { daysBefore } from './world/plan-events.ts';

export type ReplayedPast = {
  /** Epoch milliseconds. */
  readonly from: number;
  /**
   * The present of the generated world, at most eight days before `now`. Its events begin forty
   * days earlier and end ten days later.
   */
  readonly worldNow: number;
};

/** A monthly report needs news of at least this number of days. */
const MIN_NEWS_DAYS = 1.5;
/** The replay of this number of days takes less than a minute. */
const MONTH_END_DAYS = 21;
const EXTRA_DAYS_MAX = 8;

export function choosePast(now: number): ReplayedPast {
  const from = now - daysBefore * DAY_MS;
  const [thisMonthStart, lastMonthStart] = [startOfMonth(now, 0), startOfMonth(now, -1)];
  const hasMonthEndSoon =
    thisMonthStart - from <= MONTH_END_DAYS * DAY_MS ||
    lastMonthStart - from >= MIN_NEWS_DAYS * DAY_MS;
  const missingDays = hasMonthEndSoon
    ? 0
    : Math.ceil((from - lastMonthStart) / DAY_MS + MIN_NEWS_DAYS);
  // If more than EXTRA_DAYS_MAX days are missing, the replay is not extended. The end of the month
  // then comes later in the replay.
  const extraMs = (missingDays <= EXTRA_DAYS_MAX ? missingDays : 0) * DAY_MS;
  return { from: from - extraMs, worldNow: now - extraMs };
}

/** The first instant of the month of `at`, shifted by `months`. */
function startOfMonth(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
