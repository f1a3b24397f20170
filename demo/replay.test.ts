import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../src/kernel/durations.ts';
import { momentsOf } from './replay.ts';

test('a replay never leaves twelve hours unread, in the last fortnight six, in the last week two', () => {
  const to = Date.parse('2026-08-22T12:00:00Z');
  const from = to - 40 * DAY_MS;
  const moments = momentsOf({ from, to });
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  expect(moments[0]).toBe(from);
  expect(moments.at(-1)).toBe(to);
  const longest = (days: number) =>
    Math.max(...gaps.filter((_, index) => (moments[index] ?? 0) >= to - days * DAY_MS)) / HOUR_MS;
  expect([longest(40), longest(14), longest(7)]).toEqual([12, 6, 2]);
});
