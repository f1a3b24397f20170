// When a delivery is tried again: eight tries within 24 hours, each later than the one before
// (capability contract, "Webhooks").
import { MINUTE_MS } from './durations.ts';

/** After the first try, the second and so on; together 24 hours. */
const pausesMs = [1, 5, 30, 120, 300, 480, 504].map((minutes) => minutes * MINUTE_MS);

export const MOST_TRIES = pausesMs.length + 1;

/**
 * The time of the next try after `tries` tries, the last of them now; null after the last try.
 * `retryAfterMs` from the server can extend a pause to one hour.
 */
export function nextTryAt(tries: number, now: number, retryAfterMs: number | null): number | null {
  const pause = pausesMs[tries - 1];
  if (pause === undefined) return null;
  const requestedMs = Math.min(retryAfterMs ?? 0, 60 * MINUTE_MS);
  return now + Math.max(pause, requestedMs);
}
