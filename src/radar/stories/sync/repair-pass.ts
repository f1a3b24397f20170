// The repair pass clusters the reports of the last 48 hours again in one transaction, and moves
// reports where the result differs. After a first fetch or an import, the pass includes the older
// reports that arrived in these 48 hours.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  lockStories,
  readStoryHead,
  saveStoryHead,
} from '../../../store/radar/stories/story-head.ts';
import { listNewMembers } from '../../../store/radar/stories/story-members.ts';
import { type EngineContext, runSteps, writeDecisions } from './assign-batch.ts';
import { isPassDue, MANY_ITEMS, RECENT_MS } from './due-passes.ts';
import type { Step } from './engine-commands.ts';
import { catchUp } from './replay-assignments.ts';

/** Bounds the time of a pass after a large import. */
const NEW_ITEMS_MAX = 4_000;

/** Runs `work` with an engine in one transaction. */
export type EngineRunner = (
  work: (tx: Db, context: EngineContext) => Promise<void>,
) => Promise<void>;

/** Runs the pass if it is due. An interrupted pass is due again. */
export async function repairPass(world: World, db: Db, runWithEngine: EngineRunner): Promise<void> {
  const now = world.clock.now();
  const head = await readStoryHead(db);
  if (!(await isPassDue(db, now, head))) return;
  await runWithEngine(async (tx, context) => {
    const sinceMs = now - RECENT_MS;
    const newMembers = await listNewMembers(tx, { since: sinceMs, limit: NEW_ITEMS_MAX });
    // A few late reports are left out, because the pass does not include the stories that are near
    // these reports.
    const newItemIds = newMembers.length >= MANY_ITEMS ? newMembers : [];
    const recluster: Step = { kind: 'recluster', sinceMs, newItemIds };
    await runAndWriteSteps(world, tx, context, [recluster]);
    await saveStoryHead(tx, { ...(await lockStories(tx)), compared_at: now });
  });
}

/** Runs steps about existing stories; writes and publishes the engine's decisions. */
export async function runAndWriteSteps(
  world: World,
  tx: Db,
  context: EngineContext,
  steps: readonly Step[],
): Promise<void> {
  const head = await catchUp(tx, context);
  const reply = await runSteps(context, steps);
  if (reply.log.length === 0) return;
  const engineLog = { log: reply.log, followers: [], times: new Map<string, number>() };
  await writeDecisions(world, tx, { context, head, doneIds: [] }, engineLog, reply);
}
