// The story service assigns waiting items to stories and repairs existing stories when a pass is
// due. Each process has one engine. Any number of processes may run, since each replays the
// decisions of the others before it decides.

import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { readStoryHead } from '../../../store/radar/stories/story-head.ts';
import {
  isStoryAwaited,
  listItemsAwaitingStory,
} from '../../../store/radar/stories/story-queue.ts';
import { prepareClaims } from '../../publication/documents/read-claims.ts';
import type { MergeCandidate } from '../advice/merge-candidates.ts';
import type { Adviser } from '../advice/open-adviser.ts';
import { adviseBatch, adviseMerges } from './advise-batch.ts';
import { assignBatch, type EngineContext } from './assign-batch.ts';
import { isPassDue } from './due-passes.ts';
import { type EngineReplica, isContinued, rebuildReplica } from './engine-replica.ts';
import { type EngineThread, openEngineThread } from './engine-thread.ts';
import type { RulesInUse } from './engine-worker.ts';
import { fillNeighbours, type NeighbourFill } from './fill-neighbours.ts';
import { reportTimeOf } from './item-from-row.ts';
import { type EngineRunner, repairPass, runAndWriteSteps } from './repair-pass.ts';

export type StoryServiceDeps = {
  /** The editorial folder's path. */
  readonly editorial: string;
  /**
   * Opens the adviser with the current rules. Null, or a null result: no model is configured or
   * ready.
   */
  readonly openAdviser?: ((rules: AdviserRules) => Adviser | null) | null;
};

export type AdviserRules = Pick<RulesInUse, 'joinFrom' | 'liveDays'>;

export type StoryService = {
  /** Assigns all waiting items, then runs due passes. Returns the number of assigned items. */
  assign(signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
};

/** Number of items in one transaction; it is small because other publishers wait meanwhile. */
const BATCH = 40;
/**
 * Maximum number of rounds: a merge may cause another uncertain merge. Later candidates wait for
 * the next call of `assign`.
 */
const MERGE_ROUNDS = 3;

/** Whether items wait for a story, or a pass is due. */
export async function areStoriesDue(world: World, db: Db): Promise<boolean> {
  if (await isStoryAwaited(db)) return true;
  return isPassDue(db, world.clock.now(), await readStoryHead(db));
}

export function openStoryService(world: World, db: Db, deps: StoryServiceDeps): StoryService {
  const advising = openAdvising(world, db, deps);
  const engines = openEngineHolder(db, deps, advising.candidates);

  const runWithEngine: EngineRunner = async (work) => {
    const context = await engines.obtain(world.clock.now());
    await engines.run(context, (tx) => work(tx, context));
  };
  const assignAll = async (signal: AbortSignal): Promise<number> => {
    const failedIds = new Set<string>();
    let doneCount = 0;
    for (;;) {
      const waiting = (await listItemsAwaitingStory(db))
        .map((item) => ({ id: item.id, at: reportTimeOf(item) }))
        .filter(({ id }) => !failedIds.has(id))
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      if (waiting.length === 0) return doneCount;
      for (let from = 0; from < waiting.length; from += BATCH) {
        if (signal.aborted) return doneCount;
        const batch = waiting.slice(from, from + BATCH);
        doneCount += await tryBatch(batch, signal, (id) => failedIds.add(id));
      }
    }
  };

  type PendingItem = { readonly id: string; readonly at: number };
  /** First all together; after a failure one by one, so that only failing items are left out. */
  const tryBatch = async (
    batch: readonly PendingItem[],
    signal: AbortSignal,
    onFailure: (id: string) => void,
  ) => {
    const [first] = batch;
    if (first === undefined) return 0;
    const ids = batch.map(({ id }) => id);
    // Claims are extracted before the batch takes any lock: an item's claims take about 12 ms.
    await prepareClaims(world, db, ids, signal);
    // Outside of `try`, because a failure here affects all items: trying each item would not help.
    const context = await engines.obtain(Math.min(world.clock.now(), first.at));
    const advice = await advising.advice(context, ids);
    try {
      return await engines.run(context, (tx) => assignBatch(world, tx, context, { ids, advice }));
    } catch (error) {
      if (batch.length === 1) {
        const fields = { item: first.id, error: messageOf(error) };
        world.log.error(fields, 'an item cannot be assigned to a story');
        onFailure(first.id);
        return 0;
      }
      world.log.warn({ error: messageOf(error) }, 'items are assigned to stories one by one');
    }
    let doneCount = 0;
    for (const entry of batch) doneCount += await tryBatch([entry], signal, onFailure);
    return doneCount;
  };

  const assign = async (signal: AbortSignal): Promise<number> => {
    const doneCount = await assignAll(signal);
    await decideMergeCandidates(world, runWithEngine, advising, signal);
    if (!signal.aborted) await repairPass(world, db, runWithEngine);
    await decideMergeCandidates(world, runWithEngine, advising, signal);
    return doneCount;
  };

  // Sequential, because an engine receives one request at a time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    assign: (signal) => {
      const next = last.then(() => assign(signal));
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      await advising.close();
      await engines.close();
    },
  };
}

/** Obtains verdicts for uncertain pairs outside of a transaction, then applies the verdicts. */
async function decideMergeCandidates(
  world: World,
  runWithEngine: EngineRunner,
  advising: ReturnType<typeof openAdvising>,
  signal: AbortSignal,
): Promise<void> {
  for (let rounds = 0; rounds < MERGE_ROUNDS; rounds += 1) {
    const verdicts = await advising.verdicts(signal);
    if (verdicts.length === 0) return;
    await runWithEngine((tx, context) =>
      runAndWriteSteps(world, tx, context, [{ kind: 'apply-verdicts', verdicts }]),
    );
  }
}

/** Advice of a model; the first batch opens the adviser and fills it with stored items. */
function openAdvising(world: World, db: Db, { openAdviser }: StoryServiceDeps) {
  let adviser: Adviser | null = null;
  let filling: NeighbourFill | null = null;
  const candidates: MergeCandidate[] = [];
  return {
    close: async () => filling?.close(),
    /** Null: no model is configured. */
    candidates: () => (adviser === null ? null : candidates),
    advice: async ({ replica, evictBefore }: EngineContext, ids: readonly string[]) => {
      if (adviser === null) {
        adviser = openAdviser?.(replica.engine.rules) ?? null;
        if (adviser === null) return undefined;
        filling = await fillNeighbours(world, db, adviser, evictBefore).catch((error) => {
          world.log.warn({ error: messageOf(error) }, 'vectors of stored items could not be read');
          return null;
        });
      }
      return adviseBatch(world, db, adviser, { ids, replica });
    },
    verdicts: async (signal: AbortSignal) =>
      adviser === null
        ? []
        : adviseMerges(world, db, adviser, { candidates: candidates.splice(0), signal }),
  };
}

/** Holds this worker's engine replica, which one transaction at a time uses. */
function openEngineHolder(
  db: Db,
  { editorial }: StoryServiceDeps,
  candidates: EngineContext['candidates'],
) {
  let thread: EngineThread | null = null;
  let replica: EngineReplica | null = null;
  return {
    /** The engine evicts stories whose newest report is older than `before` minus the live days. */
    obtain: async (before: number): Promise<EngineContext> => {
      if (thread?.isAlive() !== true) [thread, replica] = [await openEngineThread(editorial), null];
      const evictBefore = before - thread.rules.liveDays * DAY_MS;
      if (replica !== null && !(await isContinued(db, replica))) replica = null;
      replica ??= await rebuildReplica(db, thread, evictBefore);
      return { replica, evictBefore, candidates };
    },
    /** Runs `work` in one transaction. A failure discards the engine. */
    run: async <T>(context: EngineContext, work: (tx: Db) => Promise<T>): Promise<T> => {
      replica = null;
      const done = await inTransaction(db, work);
      replica = context.replica;
      return done;
    },
    close: async () => thread?.close(),
  };
}
