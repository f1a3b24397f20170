// One word for how a source is doing.
import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { SourceHealthRow } from '../../store/radar/sources/source-health.ts';

/**
 * `well`: read lately, and it had something to say. `quiet`: read lately, and it has said nothing
 * for long. `out`: it could not be read for several of its intervals. `waiting`: not read yet.
 * `paused`, `gone`: nobody reads it.
 */
export type SourceCondition = 'well' | 'quiet' | 'out' | 'waiting' | 'paused' | 'gone';

const QUIET_MS = 7 * DAY_MS;
/** One failure is weather. */
const MISSED_INTERVALS = 3;
const LEAST_PATIENCE_MS = 90 * MINUTE_MS;

type Observed = Pick<
  SourceHealthRow,
  | 'status'
  | 'kind'
  | 'intervalMinutes'
  | 'lastSuccessAt'
  | 'nextReadAt'
  | 'newestItemAt'
  | 'failures'
> & { readonly now: number };

export function conditionOf(source: Observed): SourceCondition {
  const { status, kind, lastSuccessAt, newestItemAt, now } = source;
  if (status !== 'active') return status;
  const isQuiet = newestItemAt === null || now - newestItemAt > QUIET_MS;
  // Nobody reads what is pushed: whether its sender is silent or broken cannot be known here.
  if (kind === 'push') return newestItemAt === null ? 'waiting' : isQuiet ? 'quiet' : 'well';
  if (lastSuccessAt === null) return source.failures >= MISSED_INTERVALS ? 'out' : 'waiting';
  const patience = Math.max(
    LEAST_PATIENCE_MS,
    source.intervalMinutes * MINUTE_MS * MISSED_INTERVALS,
  );
  const isOverdue = now - lastSuccessAt > patience;
  if (isOverdue && (source.failures > 1 || isForgotten(source))) return 'out';
  return isQuiet ? 'quiet' : 'well';
}

/**
 * Its time came and nobody read it: then it is this radar that is out. A source that says little,
 * or asks to be left alone, is read more seldom than its interval, and is well meanwhile.
 */
function isForgotten({ nextReadAt, now }: Observed): boolean {
  return nextReadAt === null || now - nextReadAt > LEAST_PATIENCE_MS;
}
