// Computes how many requests may be sent to a channel now. All rate limits of its kind must permit
// them.
import { type RateLimit, takeOne } from '../kernel/rate-limit/gcra.ts';

export type Pace = {
  readonly permitted: number;
  /** Theoretical arrival times, one per rate. */
  readonly arrivals: readonly number[];
  /** Time of the next permitted request; null: now. */
  readonly nextAt: number | null;
};

/**
 * Permits at most `requestedCount` requests to one channel at `now`. The caller stores the new
 * arrival times for the requests that it sends.
 */
export function reserveSendTime(
  rates: readonly RateLimit[],
  storedArrivals: readonly number[],
  now: number,
  requestedCount: number,
): Pace {
  let arrivals: readonly number[] = rates.map((_, index) => storedArrivals[index] ?? 0);
  for (let permitted = 0; ; permitted += 1) {
    const results = rates.map((rate, index) => takeOne(rate, arrivals[index] ?? null, now));
    const waitMs = Math.max(0, ...results.map((result) => result.waitMs));
    if (waitMs > 0) return { permitted, arrivals, nextAt: Math.ceil(now + waitMs) };
    if (permitted === requestedCount) return { permitted, arrivals, nextAt: null };
    arrivals = results.map((result) => result.arrivesAt);
  }
}
