// Replays the past: sets the clock to one step after another. At each step the code of the
// worker's tick fetches, enriches and publishes the due work.

import { openInlineQueue } from '../src/jobs/inline-queue.ts';
import { ASSIGN_STORIES, RANK_STORIES } from '../src/jobs/job-kinds.ts';
import { runDue } from '../src/jobs/run-due.ts';
import { startWorker, type WorkerDeps } from '../src/jobs/start-worker.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import type { ReplayClock } from '../src/kernel/time/clock.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/time/durations.ts';
import type { World } from '../src/kernel/world.ts';
import { dueReports } from '../src/radar/reports/due-reports.ts';
import { pollSpacingHours } from './publishers/visible-entries.ts';

const CONCURRENCY = 8;

export type Replay = {
  readonly clock: ReplayClock;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The present, which advances during the replay. At the end the clock shows it. */
  readonly present: () => number;
  readonly onMoment: (at: number) => void;
  /** Runs once, when the last hours begin. */
  readonly beforeLastHours: () => Promise<void>;
};

const LAST_HOURS = 6;

/** Step sizes: the number of days before the end from which a step size in hours applies. */
const stepSizes = [
  { beforeDays: 8, hours: 2 },
  { beforeDays: 16, hours: 6 },
] as const;

/**
 * Steps of a replay: every twelve hours, every six in the last 16 days, every two in the last eight
 * days. Each due time of a report is a step too, so each report is generated on time.
 */
export function momentsOf({ from, to }: Pick<Replay, 'from' | 'to'>): readonly number[] {
  const moments = new Set([from, to]);
  const hoursAt = (at: number) =>
    stepSizes.find(({ beforeDays }) => to - at <= beforeDays * DAY_MS)?.hours ?? pollSpacingHours;
  const nextAfter = (at: number) => {
    const step = hoursAt(at) * HOUR_MS;
    return Math.floor(at / step) * step + step;
  };
  for (let position = nextAfter(from); position < to; position = nextAfter(position))
    moments.add(position);
  const dueTimes = dueReports(to, { firstItemAt: from, completedKeys: NO_REPORTS }).map(
    (report) => report.dueAt,
  );
  for (const at of dueTimes) if (at > from && at < to) moments.add(at);
  return [...moments].sort((a, b) => a - b);
}

const NO_REPORTS = {
  daily: new Set<string>(),
  weekly: new Set<string>(),
  monthly: new Set<string>(),
};

/** Below this difference, the clock is set to the present without another step. */
const CURRENT_MS = 1_000;
/** Maximum number of further steps; a slow machine may never reach the present. */
const CATCH_UP_MAX = 5;

export async function replay(
  world: World,
  db: Db,
  deps: Omit<WorkerDeps, 'queue'>,
  past: Replay & { readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = past;
  // Items of one step are assigned to stories together, so that a replay is deterministic. The
  // ranking and the sources' health of a step are computed after its items are fetched.
  const queue = openInlineQueue(CONCURRENCY, [ASSIGN_STORIES, RANK_STORIES]);
  const moments = momentsOf(past);
  clock.set(past.from);
  await startWorker(world, db, { ...deps, queue });
  const replayMoment = async (at: number) => {
    clock.set(at);
    await runDue(world, db, queue);
    await queue.drain(signal);
  };
  const lastHoursIndex = moments.findIndex((at) => past.to - at <= LAST_HOURS * HOUR_MS);
  for (const [index, at] of moments.entries()) {
    if (signal.aborted) return;
    if (index === lastHoursIndex) await past.beforeLastHours();
    await replayMoment(at);
    past.onMoment(at);
  }
  await catchUp(past, replayMoment);
}

/**
 * The present advances while a step runs, so further steps follow until the clock shows the
 * present.
 */
export async function catchUp(
  { clock, present, signal }: Pick<Replay, 'clock' | 'present'> & { readonly signal: AbortSignal },
  replayMoment: (at: number) => Promise<void>,
): Promise<void> {
  for (let remaining = CATCH_UP_MAX; remaining > 0 && !signal.aborted; remaining -= 1) {
    if (present() - clock.now() < CURRENT_MS) break;
    await replayMoment(present());
  }
  clock.set(present());
}
