// The repair pass: the reports of the last 48 hours are clustered again in one transaction, and the
// stories follow where the result differs. After a first fetch or an import, older reports that
// arrived in these hours are among them.
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

/** In one transaction. */
export type EngineRunner = (
  work: (tx: Db, context: EngineContext) => Promise<void>,
) => Promise<void>;

/** The due pass. A pass that was interrupted is due again. */
export async function repairPass(world: World, db: Db, runWithEngine: EngineRunner): Promise<void> {
  const now = world.clock.now();
  const head = await readStoryHead(db);
  if (!(await isPassDue(db, now, head))) return;
  await runWithEngine(async (tx, context) => {
    const sinceMs = now - RECENT_MS;
    const newMembers = await listNewMembers(tx, { since: sinceMs, limit: NEW_ITEMS_MAX });
    // A few late reports stay as they were assigned, because the stories near them are not among
    // the reports of the pass.
    const newItemIds = newMembers.length >= MANY_ITEMS ? newMembers : [];
    const recluster: Step = { kind: 'recluster', sinceMs, newItemIds };
    await retryMergeDecisions(world, tx, context, [recluster]);
    await saveStoryHead(tx, { ...(await lockStories(tx)), compared_at: now });
  });
}

/** Runs commands about existing stories; the engine's decisions are written and published. */
export async function retryMergeDecisions(
  world: World,
  tx: Db,
  context: EngineContext,
  steps: readonly Step[],
): Promise<void> {
  const head = await catchUp(tx, context);
  const reply = await runSteps(context, steps);
  if (reply.log.length === 0) return;
  const decided = { log: reply.log, followers: [], times: new Map<string, number>() };
  await writeDecisions(world, tx, { context, head, settledIds: [] }, decided, reply);
}
