// When a source is read next: by its own rhythm, as often as it publishes but no oftener than is
// polite; later after failures; never before the server said. Pure.
import { MINUTE_MS } from '../../../kernel/time/durations.ts';

export const SHORTEST_MS = 5 * MINUTE_MS;
export const LONGEST_MS = 6 * 60 * MINUTE_MS;
export const LONGEST_BACKOFF_MS = 24 * 60 * MINUTE_MS;

/**
 * Milliseconds between two readings: a quarter of the usual gap between its entries, within the
 * bounds. `intervalMs` is what the operator asked for; the rhythm may stretch it fourfold or
 * halve it, never more.
 */
export function rhythmOf(publishedAts: readonly number[], intervalMs: number): number {
  const times = [...new Set(publishedAts)].sort((a, b) => b - a).slice(0, 21);
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  const base = clamp(intervalMs, SHORTEST_MS, LONGEST_MS);
  if (gaps.length < 3) return base;
  const median = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? base;
  return clamp(clamp(median / 4, base / 2, base * 4), SHORTEST_MS, LONGEST_MS);
}

export type NextRead = {
  readonly now: number;
  readonly rhythmMs: number;
  /** Consecutive failures, this one included. */
  readonly failures: number;
  /** Instant until which the answer is fresh by its own headers; null when it does not say. */
  readonly freshUntil: number | null;
  /** Instant of a Retry-After; null without one. */
  readonly retryAfterAt: number | null;
  /** In [0, 1): spreads sources that were added together. */
  readonly chance: number;
};

export function nextReadAt(input: NextRead): number {
  const { now, rhythmMs, failures } = input;
  const spread = 0.95 + input.chance * 0.1;
  if (failures > 0) {
    const backoff = Math.min(rhythmMs * 2 ** Math.min(failures - 1, 10), LONGEST_BACKOFF_MS);
    return Math.round(Math.max(now + backoff * spread, input.retryAfterAt ?? 0));
  }
  // A cache lifetime of days would make a dead radar: honoured up to the longest interval.
  const fresh = Math.min(input.freshUntil ?? 0, now + LONGEST_MS);
  return Math.round(Math.max(now + rhythmMs * spread, fresh, input.retryAfterAt ?? 0));
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
