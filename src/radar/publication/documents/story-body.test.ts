import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import { countCoverage } from './story-body.ts';

const NOW = Date.parse('2026-08-22T12:30:00Z');
const timeOf = (iso: string) => Date.parse(iso);

test('shows coverage of a few days by hours, without gaps', () => {
  expect(countCoverage([NOW, NOW - 2 * HOUR_MS, NOW - HOUR_MS / 4])).toEqual([
    { at: timeOf('2026-08-22T10:00:00Z'), count: 1 },
    { at: timeOf('2026-08-22T11:00:00Z'), count: 0 },
    { at: timeOf('2026-08-22T12:00:00Z'), count: 2 },
  ]);
});

test('shows longer coverage by days, and at most the last 72 days', () => {
  const days = countCoverage([NOW, NOW - 73 * HOUR_MS]);
  expect(days.map(({ count }) => count)).toEqual([1, 0, 0, 1]);
  expect(days[0]?.at).toBe(timeOf('2026-08-19T00:00:00Z'));
  const longCoverage = countCoverage([NOW, NOW - 300 * DAY_MS]);
  expect([longCoverage.length, longCoverage.at(-1)?.count, longCoverage[0]?.count]).toEqual([
    72, 1, 0,
  ]);
});
