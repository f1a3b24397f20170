// Counts the calls of a key whose client disconnects before the upstream reports usage. The first
// calls of an hour are charged at the price of cached input, further calls at the price of input.
// Relay contract, 2.4.
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';

const CALLS_PER_HOUR = 20;
const MAX_KEYS = 10_000;

export type EstimateLimit = {
  /** Counts one call. False: the key had too many such calls within the last hour. */
  permits(keyId: string): boolean;
};

export function openEstimateLimit({ now }: Clock): EstimateLimit {
  const keys = openBoundedCache<readonly number[]>(MAX_KEYS);
  return {
    permits: (keyId) => {
      const recentTimes = (keys.get(keyId) ?? []).filter((at) => at > now() - HOUR_MS);
      const isPermitted = recentTimes.length < CALLS_PER_HOUR;
      // Only the latest entries are kept. The oldest entry determines when the next call is
      // permitted.
      keys.set(keyId, [...recentTimes, now()].slice(-CALLS_PER_HOUR));
      return isPermitted;
    },
  };
}
