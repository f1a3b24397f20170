// Times of scheduled runs: clock changes, weekdays, intervals, and the spread of three minutes.
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { quietUntil } from '../../kernel/time/local-times.ts';
import { nextRun } from './schedule.ts';
import type { Schedule } from './subscription.ts';

const ID = 'sub_1';
const instantOf = (text: string) => Date.parse(text);

/** Each run is at most three minutes after its slot, and there are no other runs. */
function expectSlots(schedule: Schedule, from: string, slots: readonly string[]): void {
  let now = instantOf(from);
  for (const slot of slots) {
    now = nextRun(schedule, ID, now) ?? 0;
    const delay = now - instantOf(slot);
    expect({ slot, isNear: delay >= 0 && delay < 180_000 }).toEqual({ slot, isNear: true });
  }
}

const berlin = (daily: readonly string[], days = [1, 2, 3, 4, 5, 6, 7]): Schedule => ({
  daily,
  days,
  zone: 'Europe/Berlin',
});

test('a local time that a day does not have runs at the next existing minute, once', () => {
  // On 29 March 2026 the clock of Berlin goes from 02:00 to 03:00.
  expectSlots(berlin(['02:30', '03:00']), '2026-03-28T12:00:00Z', [
    '2026-03-29T01:00:00Z',
    '2026-03-30T00:30:00Z',
    '2026-03-30T01:00:00Z',
  ]);
});

test('a local time that occurs twice runs once', () => {
  // On 25 October 2026 the clock of Berlin goes from 03:00 back to 02:00.
  expectSlots(berlin(['02:30']), '2026-10-24T12:00:00Z', [
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00Z',
  ]);
});

test('one day of the week makes a schedule weekly', () => {
  expectSlots(berlin(['08:00'], [1]), '2026-11-24T12:00:00Z', [
    '2026-11-30T07:00:00Z',
    '2026-12-07T07:00:00Z',
  ]);
});

test('intervals begin at midnight in the zone of the installation', () => {
  expectSlots({ every: 360 }, '2026-11-24T12:00:00Z', [
    '2026-11-24T16:00:00Z',
    '2026-11-24T22:00:00Z',
    '2026-11-25T04:00:00Z',
  ]);
});

test('the next run is in the future, and runs are spread over three minutes', () => {
  const now = instantOf('2026-11-24T12:00:00Z');
  const runs = Array.from({ length: 200 }, (_, index) =>
    nextRun({ every: 60 }, `sub_${index}`, now),
  );
  const seconds = runs.map((run) => ((run ?? 0) - now) / 1_000);
  expect(Math.min(...seconds)).toBeGreaterThan(0);
  expect(Math.max(...seconds)).toBeLessThan(3_600 + 180);
  expect(new Set(seconds).size).toBeGreaterThan(100);
  expect(nextRun({ at: 'instant' }, ID, now)).toBe(null);
});

test('quiet hours over midnight end in the morning, also when the clock changes', () => {
  const quiet = { from: '22:30', to: '07:30', zone: 'Europe/Berlin' };
  const end = instantOf('2026-03-29T05:30:00Z');
  expect(quietUntil(quiet, instantOf('2026-03-28T21:29:00Z'))).toBe(null);
  expect(quietUntil(quiet, instantOf('2026-03-28T21:30:00Z'))).toBe(end);
  expect(quietUntil(quiet, end - 1)).toBe(end);
  expect(quietUntil(quiet, end)).toBe(null);
  expect(end - instantOf('2026-03-28T21:30:00Z')).toBe(8 * HOUR_MS);
});
