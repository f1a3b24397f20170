// Limits calls of a key whose client disconnects before the upstream reports usage. The first of an
// hour are charged at the price of cached input, further ones at that of input. Relay contract,
// 2.4.
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';

const CALLS_PER_HOUR = 20;
const KEYS_MAX = 10_000;

export type EstimateLimit = {
  /** Counts one call; false: the key had too many within the last hour. */
  permits(keyId: string): boolean;
};

export function openEstimateLimit({ now }: Clock): EstimateLimit {
  const keys = openBoundedCache<readonly number[]>(KEYS_MAX);
  return {
    permits: (keyId) => {
      const recent = (keys.get(keyId) ?? []).filter((at) => at > now() - HOUR_MS);
      const isPermitted = recent.length < CALLS_PER_HOUR;
      // Only the latest entries are kept. The oldest of them determines when the next call is
      // permitted.
      keys.set(keyId, [...recent, now()].slice(-CALLS_PER_HOUR));
      return isPermitted;
    },
  };
}
