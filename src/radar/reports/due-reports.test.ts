import { expect, test } from 'vitest';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { ReportKind } from '../../store/schema/stories.ts';
import { dueReports, type ExistingReports } from './due-reports.ts';
import { periodOf } from './report-periods.ts';

/** An instant of local time in Shanghai, which is always eight hours ahead of UTC. */
const timeOf = (local: string) => Date.parse(`${local}+08:00`);

function existingReports(
  firstItem: string | null,
  completed: readonly string[] = [],
): ExistingReports {
  const completedOf = (kind: ReportKind) =>
    new Set(completed.filter((key) => periodOf(kind, key)?.key === key));
  return {
    firstItemAt: firstItem === null ? null : timeOf(firstItem),
    completedKeys: {
      daily: completedOf('daily'),
      weekly: completedOf('weekly'),
      monthly: completedOf('monthly'),
    },
  };
}

const dueKeys = (now: string, existing: ExistingReports) =>
  dueReports(timeOf(now), existing).map(({ key }) => key);

/** Dates in a row. */
function consecutiveDays(from: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

test.each([
  // A daily is due at its date's 08:00, and not a millisecond before.
  ['2026-09-24T07:59:59.999', '2026-09-23T08:00', []],
  ['2026-09-24T08:00:00.000', '2026-09-23T08:00', ['2026-09-24']],
  // An item from 07:59:59.999 belongs to that morning's daily, one from 08:00 to the next.
  ['2026-09-24T08:00', '2026-09-24T07:59:59.999', ['2026-09-24']],
  ['2026-09-24T23:59', '2026-09-24T08:00', []],
  // Midnight is no boundary.
  ['2026-09-25T00:00', '2026-09-24T08:00', []],
  ['2026-09-25T08:00', '2026-09-24T23:59:59.999', ['2026-09-25']],
  ['2026-09-25T08:00', '2026-09-25T00:00', ['2026-09-25']],
  // A leap day, and a year without one.
  ['2028-02-29T08:00', '2028-02-28T12:00', ['2028-02-29']],
  ['2028-03-01T10:29', '2028-02-29T07:00', ['2028-02-29', '2028-03-01']],
  ['2028-03-01T10:30', '2028-02-29T07:00', ['2028-02-29', '2028-03-01', '2028-02']],
  ['2027-03-01T10:30', '2027-02-28T09:00', ['2027-03-01']],
  ['2027-03-01T10:30', '2027-02-28T07:00', ['2027-02-28', '2027-03-01', '2027-W08', '2027-02']],
  // Ends of months of thirty and thirty-one days.
  ['2026-05-01T10:30', '2026-04-30T07:00', ['2026-04-30', '2026-05-01', '2026-04']],
  ['2026-06-01T10:30', '2026-05-31T07:00', ['2026-05-31', '2026-06-01', '2026-W22', '2026-05']],
  // The end of a year, in the middle of a week that belongs to the old one.
  ['2027-01-01T10:30', '2026-12-31T07:00', ['2026-12-31', '2027-01-01', '2026-12']],
  // 2026 has an ISO week 53, which ends in 2027.
  ['2027-01-04T09:59', '2027-01-03T07:00', ['2027-01-03', '2027-01-04']],
  ['2027-01-04T10:00', '2027-01-03T07:00', ['2027-01-03', '2027-01-04', '2026-W53']],
  // 2025 has no week 53: its last Monday begins the first week of 2026.
  ['2026-01-05T10:00', '2026-01-04T07:00', ['2026-01-04', '2026-01-05', '2026-W01']],
  ['2025-12-29T10:00', '2025-12-28T07:00', ['2025-12-28', '2025-12-29', '2025-W52']],
  // Changes to summer time elsewhere have no effect in Shanghai.
  ['2026-03-29T08:00', '2026-03-28T08:00', ['2026-03-29']],
  ['2026-10-25T08:00', '2026-10-24T08:00', ['2026-10-25']],
])(
  'all reports of ended periods are due at %s, with the first item at %s',
  (now, firstItem, keys) => {
    expect(dueKeys(now, existingReports(firstItem))).toEqual(keys);
  },
);

test('no report is due without items', () => {
  expect(dueKeys('2026-09-24T08:00', existingReports(null))).toEqual([]);
});

test('a written or empty report is not due again, even when others are missing', () => {
  const completed = ['2026-09-22', '2026-09-24'];
  const keys = dueKeys('2026-09-25T09:00', existingReports('2026-09-21T09:00', completed));
  expect(keys).toEqual(['2026-09-23', '2026-09-25']);
});

test('all reports of a missed month are due, each period after its dailies', () => {
  const keys = dueKeys('2026-10-01T10:30', existingReports('2026-09-06T09:00'));
  const weeks = ['2026-W37', '2026-W38', '2026-W39'];
  expect(keys.filter((key) => periodOf('daily', key))).toEqual(consecutiveDays('2026-09-07', 25));
  expect(keys.filter((key) => periodOf('weekly', key))).toEqual(weeks);
  expect(keys.at(-1)).toBe('2026-09');
  for (const week of weeks) {
    const { lastDay } = periodOf('weekly', week) ?? { lastDay: '' };
    expect(keys.indexOf(week)).toBeGreaterThan(keys.indexOf(lastDay));
  }
});

test('an incomplete first week is also due', () => {
  const keys = dueKeys('2026-09-28T10:00', existingReports('2026-09-25T09:00'));
  expect(keys).toEqual(['2026-09-26', '2026-09-27', '2026-09-28', '2026-W39']);
});

test('a clock that moved back makes no report due twice, and no future report due', () => {
  const later = existingReports('2026-09-21T09:00', consecutiveDays('2026-09-22', 10));
  expect(dueKeys('2026-09-24T12:00', later)).toEqual([]);
  expect(dueKeys('2026-09-20T12:00', later)).toEqual([]);
  expect(dueKeys('2026-09-28T10:00', later)).toEqual(['2026-W39']);
});

test('no report is due while its window is open', () => {
  for (let hour = 0; hour < 24 * 9; hour += 1) {
    const now = timeOf('2026-12-26T00:30') + hour * 3_600_000;
    const due = dueReports(now, existingReports('2026-12-25T09:00'));
    expect(due.filter(({ windowEnd, dueAt }) => windowEnd > now || dueAt > now)).toEqual([]);
  }
});
