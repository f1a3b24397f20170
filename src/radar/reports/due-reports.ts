// Computes the due reports from the clock and the stored reports. The schedule has no other state,
// so the next run catches up after a late or missed run.

import type { ReportKind } from '../../store/schema/stories.ts';
import { dailyOf, datesBetween, monthlyOf, type ReportPeriod, weeklyOf } from './report-periods.ts';

export type ExistingReports = {
  /** Time of the radar's first item, epoch milliseconds; null: no items. */
  readonly firstItemAt: number | null;
  /** Keys of the reports that were written, or whose window was empty. */
  readonly completedKeys: Readonly<Record<ReportKind, ReadonlySet<string>>>;
};

const kindOrder = { daily: 0, weekly: 1, monthly: 2 } as const;

/**
 * Returns the oldest period first, and each week or month after its dailies. A caller that stops at
 * the first failure therefore never composes a week without its dailies.
 */
export function dueReports(now: number, existing: ExistingReports): readonly ReportPeriod[] {
  if (existing.firstItemAt === null) return [];
  const duePeriods: ReportPeriod[] = [];
  const { completedKeys } = existing;
  for (const { day, endingWeek, endingMonth } of datesBetween(existing.firstItemAt, now)) {
    // Periods are computed only when a report may be missing, because this function runs every
    // minute.
    if (!completedKeys.daily.has(day)) duePeriods.push(dailyOf(day));
    if (endingWeek !== null && !completedKeys.weekly.has(endingWeek))
      duePeriods.push(weeklyOf(day));
    if (endingMonth !== null && !completedKeys.monthly.has(endingMonth))
      duePeriods.push(monthlyOf(day));
  }
  return duePeriods
    .filter((period) => period.dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || kindOrder[a.kind] - kindOrder[b.kind]);
}
