// Pure functions for the time of a source's next fetch. The interval follows the publication
// frequency within polite bounds, backs off after failures, and obeys Retry-After.
import { MINUTE_MS } from '../../../kernel/time/durations.ts';

export const SHORTEST_INTERVAL_MS = 5 * MINUTE_MS;
export const LONGEST_INTERVAL_MS = 6 * 60 * MINUTE_MS;
export const LONGEST_BACKOFF_MS = 24 * 60 * MINUTE_MS;
/** The interval is computed from this many of the newest entries. */
export const INTERVAL_SAMPLE = 21;

/**
 * Milliseconds between two fetches: a quarter of the median gap between entries. The result is
 * between half and four times `intervalMs`, the configured interval, and within the bounds above.
 * With fewer than three gaps it is the configured interval.
 */
export function fetchIntervalMs(publishedAts: readonly number[], intervalMs: number): number {
  const times = [...new Set(publishedAts)].sort((a, b) => b - a).slice(0, INTERVAL_SAMPLE);
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  const baseMs = clamp(intervalMs, SHORTEST_INTERVAL_MS, LONGEST_INTERVAL_MS);
  if (gaps.length < 3) return baseMs;
  const median = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? baseMs;
  return clamp(
    clamp(median / 4, baseMs / 2, baseMs * 4),
    SHORTEST_INTERVAL_MS,
    LONGEST_INTERVAL_MS,
  );
}

export type NextFetchInput = {
  readonly now: number;
  readonly intervalMs: number;
  /** Consecutive failures, including this one. */
  readonly failures: number;
  /** Time until which the response is fresh; null without freshness headers. */
  readonly freshUntil: number | null;
  /** Time from a Retry-After header; null without one. */
  readonly retryAfterAt: number | null;
  /** Random number in [0, 1). It spreads sources that were added together. */
  readonly chance: number;
};

export function nextFetchAt(input: NextFetchInput): number {
  const { now, intervalMs, failures } = input;
  const spread = 0.95 + input.chance * 0.1;
  if (failures > 0) {
    const backoff = Math.min(intervalMs * 2 ** Math.min(failures - 1, 10), LONGEST_BACKOFF_MS);
    return Math.round(Math.max(now + backoff * spread, input.retryAfterAt ?? 0));
  }
  // A longer cache lifetime is limited to the longest interval, so that the source stays current.
  const freshUntil = Math.min(input.freshUntil ?? 0, now + LONGEST_INTERVAL_MS);
  return Math.round(Math.max(now + intervalMs * spread, freshUntil, input.retryAfterAt ?? 0));
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
