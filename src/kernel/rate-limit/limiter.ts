// Rate limiter of keys, in this process or shared by all nodes in Redis. Both have the same
// interface; `isCertain` reports an unavailable Redis.

import { openBoundedCache } from '../concurrency/bounded-cache.ts';
import type { Clock } from '../time/clock.ts';
import { type RateLimit, type RateLimitResult, takeOne } from './gcra.ts';

export type LimiterResult = Pick<RateLimitResult, 'isAllowed' | 'remaining' | 'waitMs'> & {
  /** False when the shared limiter is unavailable and only this node's count is used. */
  readonly isCertain: boolean;
};

export type Limiter = {
  /** At once where it is counted in this process. */
  take(key: string, rate: RateLimit): LimiterResult | Promise<LimiterResult>;
  close(): Promise<void>;
};

const KEYS_MAX = 100_000;

/** Exact on one node. Forgets keys that were longest unused when there are very many. */
export function openLocalLimiter(clock: Pick<Clock, 'now'>): Limiter & {
  takeNow(key: string, rate: RateLimit): LimiterResult;
} {
  const arrivals = openBoundedCache<number>(KEYS_MAX);
  const takeNow = (key: string, rate: RateLimit) => {
    const taken = takeOne(rate, arrivals.get(key) ?? null, clock.now());
    arrivals.set(key, taken.arrivesAt);
    return { ...taken, isCertain: true };
  };
  return { takeNow, take: takeNow, close: async () => {} };
}
