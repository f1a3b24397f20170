import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../src/kernel/durations.ts';
import { momentsOf } from './replay.ts';

test('a replay never leaves more than six hours unread, nor two in the last week', () => {
  const to = Date.parse('2026-08-22T12:00:00Z');
  const from = to - 40 * DAY_MS;
  const moments = momentsOf({ from, to });
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  expect(moments[0]).toBe(from);
  expect(moments.at(-1)).toBe(to);
  expect(Math.max(...gaps)).toBe(6 * HOUR_MS);
  const lastWeek = gaps.filter((_, index) => (moments[index] ?? 0) >= to - 7 * DAY_MS);
  expect(Math.max(...lastWeek)).toBe(2 * HOUR_MS);
});
