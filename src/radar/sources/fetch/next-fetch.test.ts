import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import {
  fetchIntervalMs,
  LONGEST_BACKOFF_MS,
  LONGEST_INTERVAL_MS,
  nextFetchAt,
} from './next-fetch.ts';

const timesEvery = (gap: number, count = 10) => Array.from({ length: count }, (_, i) => i * gap);
const defaults = {
  now: 1_000_000,
  intervalMs: 30 * MINUTE_MS,
  failures: 0,
  freshUntil: null,
  retryAfterAt: null,
  chance: 0.5,
};

describe('the fetch interval', () => {
  test('is the configured one until enough entries are known', () => {
    expect(fetchIntervalMs([], 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
    expect(fetchIntervalMs(timesEvery(HOUR_MS, 3), 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
  });

  test('shortens for frequent and lengthens for rare publication', () => {
    expect(fetchIntervalMs(timesEvery(10 * MINUTE_MS), 30 * MINUTE_MS)).toBe(15 * MINUTE_MS);
    expect(fetchIntervalMs(timesEvery(3 * HOUR_MS), 30 * MINUTE_MS)).toBe(45 * MINUTE_MS);
    expect(fetchIntervalMs(timesEvery(30 * DAY_MS), 30 * MINUTE_MS)).toBe(2 * HOUR_MS);
  });

  test('stays within its bounds for every configured interval', () => {
    expect(fetchIntervalMs(timesEvery(1), 1)).toBe(5 * MINUTE_MS);
    expect(fetchIntervalMs(timesEvery(900 * HOUR_MS), 900 * HOUR_MS)).toBe(LONGEST_INTERVAL_MS);
  });

  test('ignores a thousand entries of the same second', () => {
    expect(fetchIntervalMs(new Array(1000).fill(5), 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
  });
});

describe('the next fetch', () => {
  test('is due after one interval with a small random offset', () => {
    expect(nextFetchAt(defaults)).toBe(defaults.now + 30 * MINUTE_MS);
    expect(nextFetchAt({ ...defaults, chance: 0 })).toBe(defaults.now + 28.5 * MINUTE_MS);
  });

  test("is delayed by the response's freshness, up to the longest interval", () => {
    expect(nextFetchAt({ ...defaults, freshUntil: defaults.now + HOUR_MS })).toBe(
      defaults.now + HOUR_MS,
    );
    expect(nextFetchAt({ ...defaults, freshUntil: defaults.now + 99 * HOUR_MS })).toBe(
      defaults.now + LONGEST_INTERVAL_MS,
    );
  });

  test('is delayed twice as long after each failure, up to one day', () => {
    expect(nextFetchAt({ ...defaults, failures: 1 })).toBe(defaults.now + 30 * MINUTE_MS);
    expect(nextFetchAt({ ...defaults, failures: 3 })).toBe(defaults.now + 120 * MINUTE_MS);
    expect(nextFetchAt({ ...defaults, failures: 40 })).toBe(defaults.now + LONGEST_BACKOFF_MS);
  });

  test('is not before the Retry-After time', () => {
    const retryAfterAt = defaults.now + 20 * HOUR_MS;
    expect(nextFetchAt({ ...defaults, failures: 1, retryAfterAt })).toBe(retryAfterAt);
    expect(nextFetchAt({ ...defaults, retryAfterAt })).toBe(retryAfterAt);
  });
});
