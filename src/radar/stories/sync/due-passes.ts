// The schedule of repair passes: once in every clock hour, and earlier after new items. A first
// fetch or an import brings most of its reports within a few minutes.
import type { Db } from '../../../kernel/ports/db.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { StoryHead } from '../../../store/radar/stories/story-head.ts';
import { listNewMembers } from '../../../store/radar/stories/story-members.ts';

/** A pass clusters the reports of this period. */
export const RECENT_MS = 48 * HOUR_MS;
/** This number of new items causes a pass, even while more items arrive. */
export const MANY_ITEMS = 200;
/**
 * Minimum time between two passes. Fewer new items cause a pass when none arrives for this time.
 */
const PAUSE_MS = 2 * MINUTE_MS;
/** A pass takes about 1.4 ms for each report, so passes after a burst take 3 % of the time. */
const PAUSE_PER_REPORT_MS = 50;

/** The least time between two passes of this number of reports. */
export const pauseBetween = (reports: number): number =>
  Math.max(PAUSE_MS, reports * PAUSE_PER_REPORT_MS);

/** The hourly schedule: a function of the clock and of past passes only. */
export function isReclusterDue(now: number, { seq, compared_at: last }: StoryHead): boolean {
  // Before the first decision there is nothing to cluster.
  if (seq === 0) return false;
  return last === null || Math.floor(now / HOUR_MS) > Math.floor(last / HOUR_MS);
}

/** Whether the hourly pass is due, many items are new, or a burst of new items has ended. */
export async function isPassDue(db: Db, now: number, head: StoryHead): Promise<boolean> {
  if (isReclusterDue(now, head)) return true;
  const last = head.compared_at;
  if (last === null || now - last < PAUSE_MS) return false;
  const newMembers = await listNewMembers(db, { since: last, limit: MANY_ITEMS });
  if (newMembers.length === MANY_ITEMS || newMembers.length === 0) return newMembers.length > 0;
  const newest = await listNewMembers(db, { since: now - PAUSE_MS, limit: 1 });
  if (newest.length > 0) return false;
  // With more reports than this the pause is not over, so the others need not be read.
  const limit = Math.floor((now - last) / PAUSE_PER_REPORT_MS) + 1;
  const reports = await listNewMembers(db, { since: now - RECENT_MS, limit });
  return now - last >= pauseBetween(reports.length);
}
