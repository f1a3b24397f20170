import { expect, test } from 'vitest';
import { MAX_TRIES, nextTryAt } from './plan-retries.ts';

test('plans eight attempts, the last one a day after the first', () => {
  const times = [0];
  for (let tries = 1; ; tries += 1) {
    const nextTime = nextTryAt(tries, times.at(-1) ?? 0, null);
    if (nextTime === null) break;
    times.push(nextTime);
  }
  expect(times).toHaveLength(MAX_TRIES);
  expect(times.map((ms) => ms / 60_000)).toEqual([0, 1, 6, 36, 156, 456, 936, 1440]);
});

test('extends a delay at a server’s request, up to one hour', () => {
  expect(nextTryAt(1, 0, 10_000)).toBe(60_000);
  expect(nextTryAt(1, 0, 600_000)).toBe(600_000);
  expect(nextTryAt(1, 0, 1e12)).toBe(3_600_000);
  expect(nextTryAt(4, 0, 1e12)).toBe(7_200_000);
  expect(nextTryAt(8, 0, 1e12)).toBeNull();
});
