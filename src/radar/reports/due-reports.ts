// Which editions are due: a function of the clock and of what exists, and of nothing else. The
// schedule has no memory of its own, so a run that was late or missed is made good by the next.
import {
  dailyOf,
  dateOf,
  type EditionKind,
  monthlyOf,
  nextDay,
  type ReportEdition,
  weeklyOf,
} from './editions.ts';

export type Existing = {
  /** When the radar had its first item, epoch milliseconds; null: it has none. */
  readonly firstItemAt: number | null;
  /** Keys that were written, or whose window was found empty. */
  readonly settled: Readonly<Record<EditionKind, ReadonlySet<string>>>;
};

const order = { daily: 0, weekly: 1, monthly: 2 } as const;

/**
 * Oldest first, and a period after its dailies: whoever writes them in this order, and stops at
 * one that fails, never compiles a week from dailies that are still to come.
 */
export function dueReports(now: number, existing: Existing): readonly ReportEdition[] {
  if (existing.firstItemAt === null) return [];
  const due = new Map<string, ReportEdition>();
  for (let day = dateOf(existing.firstItemAt); dailyOf(day).dueAt <= now; day = nextDay(day)) {
    for (const edition of [dailyOf(day), weeklyOf(day), monthlyOf(day)]) {
      const isSettled = existing.settled[edition.kind].has(edition.key);
      if (edition.dueAt <= now && !isSettled) due.set(`${edition.kind} ${edition.key}`, edition);
    }
  }
  return [...due.values()].sort((a, b) => a.dueAt - b.dueAt || order[a.kind] - order[b.kind]);
}
