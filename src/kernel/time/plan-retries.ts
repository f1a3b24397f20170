// The retry schedule of deliveries: eight attempts within 24 hours with growing pauses.
import { MINUTE_MS } from './durations.ts';

/** The pauses after each attempt, 24 hours in total. */
const pausesMs = [1, 5, 30, 120, 300, 480, 504].map((minutes) => minutes * MINUTE_MS);

export const MAX_TRIES = pausesMs.length + 1;

/**
 * The time of the next attempt after `tries` attempts; null after the last attempt. `retryAfterMs`
 * from the server can extend a pause to one hour.
 */
export function nextTryAt(tries: number, now: number, retryAfterMs: number | null): number | null {
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return null;
  const requestedMs = Math.min(retryAfterMs ?? 0, 60 * MINUTE_MS);
  return now + Math.max(pauseMs, requestedMs);
}
