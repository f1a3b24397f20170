import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import { LONGEST_BACKOFF_MS, LONGEST_MS, nextReadAt, rhythmOf } from './next-fetch.ts';

const every = (gap: number, count = 10) => Array.from({ length: count }, (_, i) => i * gap);
const usual = {
  now: 1_000_000,
  rhythmMs: 30 * MINUTE_MS,
  failures: 0,
  freshUntil: null,
  retryAfterAt: null,
  chance: 0.5,
};

describe('the rhythm of a source', () => {
  test('is what the operator asked for until there is something to learn from', () => {
    expect(rhythmOf([], 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
    expect(rhythmOf(every(HOUR_MS, 3), 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
  });

  test('quickens for one that publishes often and slows for one that rarely does', () => {
    expect(rhythmOf(every(10 * MINUTE_MS), 30 * MINUTE_MS)).toBe(15 * MINUTE_MS);
    expect(rhythmOf(every(3 * HOUR_MS), 30 * MINUTE_MS)).toBe(45 * MINUTE_MS);
    expect(rhythmOf(every(30 * DAY_MS), 30 * MINUTE_MS)).toBe(2 * HOUR_MS);
  });

  test('stays within its bounds whatever was asked for', () => {
    expect(rhythmOf(every(1), 1)).toBe(5 * MINUTE_MS);
    expect(rhythmOf(every(900 * HOUR_MS), 900 * HOUR_MS)).toBe(LONGEST_MS);
  });

  test('does not take a thousand entries of one second for a rhythm', () => {
    expect(rhythmOf(new Array(1000).fill(5), 30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
  });
});

describe('the next reading', () => {
  test('comes after one rhythm, a little earlier or later by chance', () => {
    expect(nextReadAt(usual)).toBe(usual.now + 30 * MINUTE_MS);
    expect(nextReadAt({ ...usual, chance: 0 })).toBe(usual.now + 28.5 * MINUTE_MS);
  });

  test('waits as long as the answer is fresh, up to the longest interval', () => {
    expect(nextReadAt({ ...usual, freshUntil: usual.now + HOUR_MS })).toBe(usual.now + HOUR_MS);
    expect(nextReadAt({ ...usual, freshUntil: usual.now + 99 * HOUR_MS })).toBe(
      usual.now + LONGEST_MS,
    );
  });

  test('doubles with every failure up to a day', () => {
    expect(nextReadAt({ ...usual, failures: 1 })).toBe(usual.now + 30 * MINUTE_MS);
    expect(nextReadAt({ ...usual, failures: 3 })).toBe(usual.now + 120 * MINUTE_MS);
    expect(nextReadAt({ ...usual, failures: 40 })).toBe(usual.now + LONGEST_BACKOFF_MS);
  });

  test('is never before the Retry-After', () => {
    const retryAfterAt = usual.now + 20 * HOUR_MS;
    expect(nextReadAt({ ...usual, failures: 1, retryAfterAt })).toBe(retryAfterAt);
    expect(nextReadAt({ ...usual, retryAfterAt })).toBe(retryAfterAt);
  });
});
