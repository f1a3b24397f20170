// Determines the condition of a source, such as `current` or `failing`.
import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { SourceHealthRow } from '../../store/radar/sources/source-health.ts';

/**
 * `current`: fetched recently, with recent items. `no_recent_items`: fetched recently, without
 * items for a week. `failing`: fetches failed for several intervals, or none has succeeded.
 * `waiting`: not fetched yet. `paused`, `gone`: not fetched any more.
 */
export type SourceCondition =
  | 'current'
  | 'no_recent_items'
  | 'failing'
  | 'waiting'
  | 'paused'
  | 'gone';

const RECENT_MS = 7 * DAY_MS;
/** Intervals without success after which a fetched source fails. One failure is normal. */
const MISSED_INTERVALS = 3;
const MIN_OVERDUE_MS = 90 * MINUTE_MS;

type SourceObservation = Pick<
  SourceHealthRow,
  | 'status'
  | 'kind'
  | 'intervalMinutes'
  | 'lastSuccessAt'
  | 'nextReadAt'
  | 'newestItemAt'
  | 'failures'
> & { readonly now: number };

export function conditionOf(source: SourceObservation): SourceCondition {
  const { status, kind, lastSuccessAt, newestItemAt, now } = source;
  if (status !== 'active') return status;
  const isRecent = newestItemAt !== null && now - newestItemAt <= RECENT_MS;
  const itemCondition = isRecent ? 'current' : 'no_recent_items';
  // Push sources are not fetched, so a silent sender and a failing sender look the same.
  if (kind === 'push') return newestItemAt === null ? 'waiting' : itemCondition;
  if (lastSuccessAt === null) return source.failures > 0 ? 'failing' : 'waiting';
  const overdueMs = Math.max(MIN_OVERDUE_MS, source.intervalMinutes * MINUTE_MS * MISSED_INTERVALS);
  const isOverdue = now - lastSuccessAt > overdueMs;
  if (isOverdue && (source.failures > 1 || isFetchOverdue(source))) return 'failing';
  return itemCondition;
}

/**
 * True when the source was due and was not fetched, so the fault is in this radar. False when its
 * next fetch is scheduled later than usual.
 */
function isFetchOverdue({ nextReadAt, now }: SourceObservation): boolean {
  return nextReadAt === null || now - nextReadAt > MIN_OVERDUE_MS;
}
