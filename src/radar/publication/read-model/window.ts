// The public window and the margin that a read model keeps. The window begins at a whole minute.
// Without new data, a response and its ETag therefore change only when a minute begins.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';

export type Window = '24h' | '7d';

const windowMs = { '24h': DAY_MS, '7d': 7 * DAY_MS } satisfies Record<Window, number>;

// Margin for clients whose clock is behind the clock of the node.
const GRACE_MS = HOUR_MS;

/** The earliest sort time in the window at `now`, epoch milliseconds. */
export function cutoffOf(window: Window, now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS - windowMs[window];
}

/** The earliest sort time that a read model made at `now` contains. */
export function earliestKeptAt(now: number): number {
  return cutoffOf('7d', now) - GRACE_MS;
}

/** True when a read model last updated at `latestAt` contains the window at `now`. */
export function containsWindowAt(now: number, latestAt: number): boolean {
  return cutoffOf('7d', now) >= earliestKeptAt(latestAt);
}

/** True when the window begins at the same instant at both times. */
export function isSameMinute(a: number, b: number): boolean {
  return Math.floor(a / MINUTE_MS) === Math.floor(b / MINUTE_MS);
}
