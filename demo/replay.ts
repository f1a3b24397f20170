// The past, read as it happened: the clock is set to one moment after another, and what is due at
// each is read, understood and published by the same code that the worker's tick calls.

import { openInlineQueue } from '../src/jobs/inline-queue.ts';
import { ASSIGN_STORIES, RANK_STORIES } from '../src/jobs/job-kinds.ts';
import { runDue } from '../src/jobs/run-due.ts';
import { startWorker, type WorkerParts } from '../src/jobs/start-worker.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import type { PacedClock } from '../src/kernel/time/clock.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/time/durations.ts';
import type { World } from '../src/kernel/world.ts';
import { pollSpacingHours } from './publishers/visible-entries.ts';

const READERS = 8;

export type Replay = {
  readonly clock: PacedClock;
  /** Epoch milliseconds; the clock stands at `to` afterwards. */
  readonly from: number;
  readonly to: number;
  readonly onMoment: (at: number) => void;
};

/** How far apart moments are: from so many days before the end, every so many hours. */
const pace = [
  { beforeDays: 8, hours: 2 },
  { beforeDays: 16, hours: 6 },
] as const;

/**
 * Moments of a replay: every twelve hours, later every six, in the week that readers look at every
 * two. A month ends within any forty days, but on some of them ten days before the last: its report
 * is what a newcomer waits for longest.
 */
export function momentsOf({ from, to }: Pick<Replay, 'from' | 'to'>): readonly number[] {
  const moments: number[] = [];
  const stepAt = (at: number) =>
    pace.find(({ beforeDays }) => to - at <= beforeDays * DAY_MS)?.hours ?? pollSpacingHours;
  for (let at = from; at < to; at += stepAt(at) * HOUR_MS) moments.push(at);
  return [...moments, to];
}

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
  for (const at of moments) {
    if (signal.aborted) return;
    clock.set(at);
    await runDue(world, db, queue);
    await queue.drain(signal);
    past.onMoment(at);
  }
}
