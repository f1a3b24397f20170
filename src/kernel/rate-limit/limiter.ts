// The rate limiter that counts in this process. The limiter that all nodes share in Redis has the
// same interface; its `isCertain` is false while Redis is unavailable.

import { openBoundedCache } from '../concurrency/bounded-cache.ts';
import type { Clock } from '../time/clock.ts';
import { type RateLimit, type RateLimitResult, takeSeveral } from './gcra.ts';

export type LimiterResult = Pick<RateLimitResult, 'isAllowed' | 'remaining' | 'waitMs'> & {
  /** False when the shared limiter is unavailable and only this node's count is used. */
  readonly isCertain: boolean;
};

export type Limiter = {
  /** Returns synchronously when this process counts. */
  take(key: string, rate: RateLimit): LimiterResult | Promise<LimiterResult>;
  close(): Promise<void>;
};

const MAX_KEYS = 100_000;

/** Exact on one node. Above `MAX_KEYS` keys, the least recently used keys are dropped. */
export function openLocalLimiter(clock: Pick<Clock, 'now'>): Limiter & {
  takeToken(key: string, rate: RateLimit): LimiterResult;
  /** `count`: at most the burst. */
  takeTokens(key: string, rate: RateLimit, count: number): LimiterResult;
} {
  const arrivals = openBoundedCache<number>(MAX_KEYS);
  const takeTokens = (key: string, rate: RateLimit, count: number) => {
    const arrivesAt = arrivals.get(key) ?? null;
    const result = takeSeveral(rate, { count, arrivesAt, now: clock.now() });
    arrivals.set(key, result.arrivesAt);
    return { ...result, isCertain: true };
  };
  const takeToken = (key: string, rate: RateLimit) => takeTokens(key, rate, 1);
  return { takeToken, takeTokens, take: takeToken, close: async () => {} };
}
