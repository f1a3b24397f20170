// Length of the replayed past: forty days, or up to eight more, so that it contains a whole month
// for a monthly report.
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

/** A monthly report needs this many days of news. */
const MIN_NEWS_DAYS = 1.5;
/** Number of entries that can be replayed within a minute. */
const SOON_DAYS = 21;
const MORE_DAYS_MAX = 8;

export function choosePast(now: number): ReplayedPast {
  const from = now - daysBefore * DAY_MS;
  const [last, before] = [monthsStart(now, 0), monthsStart(now, -1)];
  const hasMonthEndSoon =
    last - from <= SOON_DAYS * DAY_MS || before - from >= MIN_NEWS_DAYS * DAY_MS;
  const missing = hasMonthEndSoon ? 0 : Math.ceil((from - before) / DAY_MS + MIN_NEWS_DAYS);
  const extraMs = (missing <= MORE_DAYS_MAX ? missing : 0) * DAY_MS;
  return { from: from - extraMs, worldNow: now - extraMs };
}

/** The first instant of the month of `at`, shifted by `months`. */
function monthsStart(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
