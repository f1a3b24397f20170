// Which span of time a reader sees and how much more an edition keeps. Membership goes by whole
// minutes of the clock, so that an answer, and its ETag, hold within one.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';

export type Window = '24h' | '7d';

const windowMs = { '24h': DAY_MS, '7d': 7 * DAY_MS } satisfies Record<Window, number>;

// For readers whose clock is behind that of whoever built the edition.
const graceMs = HOUR_MS;

/** The earliest sort time, epoch milliseconds, that is within the window at `now`. */
export function cutoffOf(window: Window, now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS - windowMs[window];
}

/** The earliest sort time that an edition made at `now` still holds. */
export function keptFrom(now: number): number {
  return cutoffOf('7d', now) - graceMs;
}

/** Whether an edition applied at `latestAt`, and never later, holds the window at `now`. */
export function reachesBackTo(now: number, latestAt: number): boolean {
  return cutoffOf('7d', now) >= keptFrom(latestAt);
}

/** Whether windows begin at the same instant at both times. */
export function isSameMinute(a: number, b: number): boolean {
  return Math.floor(a / MINUTE_MS) === Math.floor(b / MINUTE_MS);
}
