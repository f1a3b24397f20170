// Which editions are due: a function of the clock and of what exists, and of nothing else. The
// schedule has no memory of its own, so a run that was late or missed is made good by the next.

import type { ReportKind } from '../../store/schema/stories.ts';
import { dailyOf, datesBetween, monthlyOf, type ReportPeriod, weeklyOf } from './report-periods.ts';

export type ExistingReports = {
  /** When the radar had its first item, epoch milliseconds; null: it has none. */
  readonly firstItemAt: number | null;
  /** Keys that were written, or whose window was found empty. */
  readonly settled: Readonly<Record<ReportKind, ReadonlySet<string>>>;
};

const order = { daily: 0, weekly: 1, monthly: 2 } as const;

/**
 * Oldest first, and a period after its dailies: whoever writes them in this order, and stops at
 * one that fails, never compiles a week from dailies that are still to come.
 */
export function dueReports(now: number, existing: ExistingReports): readonly ReportPeriod[] {
  if (existing.firstItemAt === null) return [];
  const due: ReportPeriod[] = [];
  const { settled } = existing;
  for (const { day, endsWeek, endsMonth } of datesBetween(existing.firstItemAt, now)) {
    // Editions are made only where one may be missing: this runs every minute, for ever.
    if (!settled.daily.has(day)) due.push(dailyOf(day));
    if (endsWeek !== null && !settled.weekly.has(endsWeek)) due.push(weeklyOf(day));
    if (endsMonth !== null && !settled.monthly.has(endsMonth)) due.push(monthlyOf(day));
  }
  return due
    .filter((period) => period.dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || order[a.kind] - order[b.kind]);
}
