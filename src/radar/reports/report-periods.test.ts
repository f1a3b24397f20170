import { expect, test } from 'vitest';
import { periodOf } from './report-periods.ts';

const shanghaiTime = (instant: number) =>
  new Date(instant + 8 * 3_600_000).toISOString().slice(0, 16);

test.each([
  ['daily', '2026-09-24', '2026-09-23T08:00', '2026-09-24T08:00', '2026-09-24T08:00'],
  ['daily', '2027-01-01', '2026-12-31T08:00', '2027-01-01T08:00', '2027-01-01T08:00'],
  ['weekly', '2026-W39', '2026-09-20T08:00', '2026-09-27T08:00', '2026-09-28T10:00'],
  ['weekly', '2026-W53', '2026-12-27T08:00', '2027-01-03T08:00', '2027-01-04T10:00'],
  ['weekly', '2027-W01', '2027-01-03T08:00', '2027-01-10T08:00', '2027-01-11T10:00'],
  ['monthly', '2028-02', '2028-01-31T08:00', '2028-02-29T08:00', '2028-03-01T10:30'],
  ['monthly', '2026-12', '2026-11-30T08:00', '2026-12-31T08:00', '2027-01-01T10:30'],
] as const)('the %s of %s covers %s to %s and is due at %s', (kind, key, start, end, due) => {
  const period = periodOf(kind, key);
  expect(period?.key).toBe(key);
  const { windowStart = 0, windowEnd = 0, dueAt = 0 } = period ?? {};
  expect([windowStart, windowEnd, dueAt].map(shanghaiTime)).toEqual([start, end, due]);
});

test.each([
  ['weekly', '2025-W53'],
  ['weekly', '2026-W00'],
  ['weekly', '2026-39'],
  ['daily', '2027-02-29'],
  ['daily', '2026-W39'],
  ['monthly', '2026-13'],
  ['monthly', '2026-09-01'],
] as const)('there is no %s of %s', (kind, key) => {
  expect(periodOf(kind, key)).toBeNull();
});
