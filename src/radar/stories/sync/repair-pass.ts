// The hourly repair pass: the reports of the last 48 hours are clustered again in one transaction,
// and the stories follow where the result differs.
import type { Db } from '../../../kernel/ports/db.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  lockStories,
  readStoryHead,
  type StoryHead,
  saveStoryHead,
} from '../../../store/radar/stories/story-head.ts';
import { type Round, runSteps, writeDecisions } from './assign-batch.ts';
import { isReclusterDue } from './due-passes.ts';
import type { Step } from './engine-commands.ts';
import { catchUp } from './replay-assignments.ts';

const RECENT_MS = 48 * HOUR_MS;

export type RepairPassDeps = {
  /** In one transaction; stories without a report since `floor` are evicted. */
  readonly run: <T>(work: (tx: Db, round: Round, floor: number) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
};

/** The due pass. A pass that was interrupted is due again. */
export async function repairPass(
  world: World,
  db: Db,
  { run, signal }: RepairPassDeps,
): Promise<void> {
  const now = world.clock.now();
  if (signal.aborted || !isReclusterDue(now, await readStoryHead(db))) return;
  await run(async (tx, round, floor) => {
    const recluster: Step = { kind: 'recluster', sinceMs: now - RECENT_MS };
    await retryMergeDecisions(world, tx, { round, floor }, [recluster]);
    await saveStoryHead(tx, { ...(await lockStories(tx)), compared_at: now });
  });
}

/** Runs commands about existing stories; the engine's decisions are written and published. */
export async function retryMergeDecisions(
  world: World,
  tx: Db,
  { round, floor }: { readonly round: Round; readonly floor: number },
  steps: readonly Step[],
): Promise<void> {
  const head: StoryHead = await lockStories(tx);
  await catchUp(tx, round.replica, head, floor);
  const reply = await runSteps(round, steps);
  if (reply.log.length === 0) return;
  const decided = { log: reply.log, followers: [], times: new Map<string, number>() };
  await writeDecisions(world, tx, { round, head, settled: [] }, decided, reply);
}
