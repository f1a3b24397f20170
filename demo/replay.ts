// Replays the past: the clock is set to one moment after another. At each moment the code of the
// worker's tick fetches, enriches and publishes what is due.

import { openInlineQueue } from '../src/jobs/inline-queue.ts';
import { ASSIGN_STORIES, RANK_STORIES } from '../src/jobs/job-kinds.ts';
import { runDue } from '../src/jobs/run-due.ts';
import { startWorker, type WorkerParts } from '../src/jobs/start-worker.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import type { PacedClock } from '../src/kernel/time/clock.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/time/durations.ts';
import type { World } from '../src/kernel/world.ts';
import { dueReports } from '../src/radar/reports/due-reports.ts';
import { pollSpacingHours } from './publishers/visible-entries.ts';

const READERS = 8;

export type Replay = {
  readonly clock: PacedClock;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The present, which moves on during the replay. The clock stands at it afterwards. */
  readonly present: () => number;
  readonly onMoment: (at: number) => void;
};

/** How far apart moments are: from so many days before the end, every so many hours. */
const pace = [
  { beforeDays: 8, hours: 2 },
  { beforeDays: 16, hours: 6 },
] as const;

/**
 * Moments of a replay: every twelve hours, later every six, and every two in the last week. They
 * lie on full hours (UTC) and on the due times of weekly and monthly reports, so each report is
 * generated on time.
 */
export function momentsOf({ from, to }: Pick<Replay, 'from' | 'to'>): readonly number[] {
  const moments = new Set([from, to]);
  const hoursAt = (at: number) =>
    pace.find(({ beforeDays }) => to - at <= beforeDays * DAY_MS)?.hours ?? pollSpacingHours;
  const nextAfter = (at: number) => {
    const step = hoursAt(at) * HOUR_MS;
    return Math.floor(at / step) * step + step;
  };
  for (let at = nextAfter(from); at < to; at = nextAfter(at)) moments.add(at);
  const due = dueReports(to, { firstItemAt: from, settled: NONE }).map((report) => report.dueAt);
  for (const at of due) if (at > from && at < to) moments.add(at);
  return [...moments].sort((a, b) => a - b);
}

const NONE = { daily: new Set<string>(), weekly: new Set<string>(), monthly: new Set<string>() };

/** A moment this close to the present is the present: clocks agree to the second. */
const CURRENT_MS = 1_000;
/** A machine that needs longer for a moment than the moment lasts does not catch up. */
const CATCH_UP_MAX = 5;

export async function replay(
  world: World,
  db: Db,
  parts: Omit<WorkerParts, 'queue'>,
  past: Replay & { readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = past;
  // What came at one moment is put into stories together, so that a replay is the same each time.
  // What the hot topics and the sources' health say of a moment, they say after it was read.
  const queue = openInlineQueue(READERS, [ASSIGN_STORIES, RANK_STORIES]);
  const moments = momentsOf(past);
  clock.set(past.from);
  await startWorker(world, db, { ...parts, queue });
  const replayMoment = async (at: number) => {
    clock.set(at);
    await runDue(world, db, queue);
    await queue.drain(signal);
  };
  for (const at of moments) {
    if (signal.aborted) return;
    await replayMoment(at);
    past.onMoment(at);
  }
  for (let left = CATCH_UP_MAX; left > 0 && !signal.aborted; left -= 1) {
    if (past.present() - clock.now() < CURRENT_MS) break;
    await replayMoment(past.present());
  }
  clock.set(past.present());
}
