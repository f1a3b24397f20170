import { expect, test } from 'vitest';
import { replayClock } from '../src/kernel/time/clock.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/time/durations.ts';
import { choosePast } from './choose-past.ts';
import { catchUp, momentsOf } from './replay.ts';

test('fetches are at most 12 h apart, 6 h in the last two weeks, 2 h in the last week', () => {
  const to = Date.parse('2026-08-22T12:00:00Z');
  const from = to - 40 * DAY_MS;
  const moments = momentsOf({ from, to });
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  expect(moments[0]).toBe(from);
  expect(moments.at(-1)).toBe(to);
  const longestGap = (days: number) =>
    Math.max(...gaps.filter((_, index) => (moments[index] ?? 0) >= to - days * DAY_MS)) / HOUR_MS;
  expect([longestGap(40), longestGap(14), longestGap(7)]).toEqual([12, 6, 2]);
});

test('stops at the due time of each report', () => {
  const to = Date.parse('2026-08-22T12:34:56Z');
  const moments = new Set(momentsOf({ from: to - 40 * DAY_MS, to }));
  const dueTimes = ['2026-08-22T00:00:00Z', '2026-08-17T02:00:00Z', '2026-08-01T02:30:00Z'];
  expect(dueTimes.filter((due) => !moments.has(Date.parse(due)))).toEqual([]);
});

test('after a replay of any duration, the clock shows the present', async () => {
  const startedAt = Date.parse('2026-08-22T12:00:00Z');
  const clock = replayClock(startedAt);
  let now = startedAt + 84_000;
  const steps = [84_000, 9_000, 700];
  const replayed: number[] = [];
  const past = { clock, present: () => now, signal: new AbortController().signal };
  await catchUp(past, async (at) => {
    replayed.push(at - startedAt);
    clock.set(at);
    now += steps[replayed.length] ?? 0;
  });
  expect(replayed).toEqual([84_000, 93_000]);
  expect(clock.now()).toBe(now);
});

test('the first 25 days of the past contain the end of a month, on any day', () => {
  const firstDay = Date.parse('2026-01-01T15:00:00Z');
  for (let day = 0; day < 1_500; day += 1) {
    const at = firstDay + day * DAY_MS;
    const { from, worldNow } = choosePast(at);
    const days = Array.from({ length: 50 }, (_, after) => startOfDay(from + after * DAY_MS));
    const monthStarts = days.filter((start) => new Date(start).getUTCDate() === 1);
    const daysWithNews = monthStarts
      .map((start) => (start - from) / DAY_MS)
      .filter((after) => after >= 1.5);
    expect(Math.min(...daysWithNews), new Date(at).toISOString()).toBeLessThanOrEqual(25);
    // The world has ten days after its own present. At least two of them are still in the future.
    expect((at - worldNow) / DAY_MS).toBeLessThanOrEqual(8);
    expect((worldNow - from) / DAY_MS).toBe(40);
  }
});

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;
