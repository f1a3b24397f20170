// Assigns one batch of items to stories in one transaction. The engine first applies the decisions
// of other processes and then decides. The transaction writes and publishes all results, or none.

import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readStoriesById } from '../../../store/radar/stories/stories.ts';
import { deleteFeatures, saveFeatures } from '../../../store/radar/stories/story-features.ts';
import type { StoryHead } from '../../../store/radar/stories/story-head.ts';
import {
  readAssignedDuplicates,
  readStoryItemRows,
} from '../../../store/radar/stories/story-items.ts';
import {
  listMembersOfStories,
  readMembersByItem,
} from '../../../store/radar/stories/story-members.ts';
import type { Advice } from '../advice/advice.ts';
import type { MergeCandidate } from '../advice/merge-candidates.ts';
import type { Assignment } from '../clustering/story-item.ts';
import type { StoryChanges } from './changes.ts';
import type { EngineReply, Step } from './engine-commands.ts';
import type { EngineReplica } from './engine-replica.ts';
import { reportTimeOf, storyItemOf } from './item-from-row.ts';
import { findLinksBetween } from './link-stories.ts';
import { linkedWith } from './pins-in-engine.ts';
import { type EngineLog, reconcileLog, type StoredState } from './reconcile-log.ts';
import { catchUp } from './replay-assignments.ts';
import { newStoryId } from './story-id.ts';
import { writeChanges } from './write-changes.ts';

export type EngineContext = {
  readonly replica: EngineReplica;
  /** Stories without a report since then are evicted, epoch milliseconds. */
  readonly evictBefore: number;
  /** Receives uncertain merges for a model; null: no model is configured. */
  readonly candidates: () => MergeCandidate[] | null;
};

type BatchRequest = {
  readonly ids: readonly string[];
  /** Advice of a model by item, received before the transaction; absent: no advice. */
  readonly advice?: ReadonlyMap<string, Advice> | undefined;
};

/** `ids`: in the order of decision. Returns the number of assigned items. */
export async function assignBatch(
  world: World,
  tx: Db,
  context: EngineContext,
  { ids, advice }: BatchRequest,
): Promise<number> {
  const head = await catchUp(tx, context);
  const batch = await readBatch(tx, context, ids, advice);
  const reply = await runSteps(context, batch.steps);
  // Enrichment queued these items, so their texts may have changed.
  await deleteFeatures(tx, ids);
  await saveFeatures(tx, context.replica.engine.rules.featureVersion, reply.features);
  const log = [...batch.log, ...reply.log];
  const engineLog = { log, followers: batch.followers, times: batch.times };
  await writeDecisions(world, tx, { context, head, doneIds: ids }, engineLog, reply);
  return batch.times.size;
}

/** Runs steps in the engine. Uncertain merges are collected for the model if there is one. */
export async function runSteps(
  { replica, candidates }: EngineContext,
  steps: readonly Step[],
): Promise<EngineReply> {
  const waiting = candidates();
  if (waiting === null) return replica.engine.execute(steps);
  const reply = await replica.engine.execute([{ kind: 'collect-merge-candidates' }, ...steps]);
  waiting.push(...reply.candidates);
  return reply;
}

/** Reconciles the engine's decisions with the store, writes and publishes them. */
export async function writeDecisions(
  world: World,
  tx: Db,
  target: {
    readonly context: EngineContext;
    readonly head: StoryHead;
    /** Items that no longer wait for a story. */
    readonly doneIds: readonly string[];
  },
  engineLog: EngineLog,
  { neighbours, developments }: Pick<EngineReply, 'neighbours' | 'developments'>,
): Promise<StoryChanges> {
  const { replica } = target.context;
  const round = {
    storyId: () => newStoryId(world),
    actionId: () => world.ids.next(),
    now: world.clock.now(),
    rulesVersion: replica.engine.rules.version,
  };
  const state = await readStoredState(tx, replica, engineLog);
  const storyChanges = reconcileLog(replica.idMap, state, engineLog, round);
  const links = await findLinksBetween(tx, replica.idMap, neighbours, storyChanges);
  const changes = {
    ...storyChanges,
    ...links,
    developments: developmentsOf(developments, state, engineLog),
  };
  const result = { changes, doneIds: target.doneIds };
  const { seq } = await writeChanges(world, tx, target.head, result);
  replica.seq = seq;
  return changes;
}

/**
 * Maps each item to the first item of its development. A duplicate has its leader's development.
 */
function developmentsOf(
  developments: EngineReply['developments'],
  { copies }: StoredState,
  { followers }: EngineLog,
): StoryChanges['developments'] {
  const developmentByItem = new Map<string, string>();
  for (const [first = '', ...otherIds] of developments) {
    for (const itemId of [first, ...otherIds]) {
      for (const copy of [itemId, ...(copies.get(itemId) ?? [])])
        developmentByItem.set(copy, first);
    }
  }
  for (const { itemId, leaderId } of followers)
    developmentByItem.set(itemId, developmentByItem.get(leaderId) ?? leaderId);
  return developmentByItem;
}

type Batch = EngineLog & { readonly steps: readonly Step[] };

async function readBatch(
  tx: Db,
  context: EngineContext,
  ids: readonly string[],
  advice: BatchRequest['advice'],
): Promise<Batch> {
  const { replica } = context;
  const rulesVersion = replica.engine.rules.version;
  const rows = await readStoryItemRows(tx, ids);
  const currentMembers = await readMembersByItem(tx, ids);
  const duplicates = await readAssignedDuplicates(tx, ids);
  const pinned = await readPinnedStories(tx, replica, ids);
  const leaderByGroup = new Map<string, string>();
  const times = new Map<string, number>();
  const followers: EngineLog['followers'][number][] = [];
  const log: Assignment[] = [];
  const steps: Step[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row === undefined || currentMembers.has(id)) continue;
    const at = reportTimeOf(row);
    times.set(id, at);
    const leaderId = duplicates.get(id)?.[0] ?? leaderByGroup.get(row.group_id);
    if (leaderId !== undefined) {
      followers.push({ itemId: id, leaderId });
      continue;
    }
    leaderByGroup.set(row.group_id, id);
    const item = storyItemOf(row, at);
    const storyId = pinned.get(id);
    const itemAdvice = advice?.get(id);
    if (storyId === undefined) {
      steps.push({ kind: 'add', item, ...(itemAdvice !== undefined && { advice: itemAdvice }) });
    } else {
      steps.push({ kind: 'place', item, storyId });
      log.push({ itemId: id, storyId, score: 1, features: {}, rulesVersion, reason: 'pinned' });
    }
  }
  return { steps, log, followers, times };
}

/** Maps each item to the story of an item it is pinned to, also when that story is not live. */
async function readPinnedStories(tx: Db, { pins, idMap }: EngineReplica, ids: readonly string[]) {
  const partners = new Map(ids.map((id) => [id, linkedWith(pins, id)]));
  const members = await readMembersByItem(tx, [...partners.values()].flat());
  return new Map(
    [...partners].flatMap(([id, others]) => {
      const [storyId] = others.flatMap((other) => members.get(other)?.story_id ?? []);
      return storyId === undefined ? [] : [[id, idMap.engineOf(storyId)] as const];
    }),
  );
}

async function readStoredState(tx: Db, { idMap }: EngineReplica, { log, followers }: EngineLog) {
  const items = [
    ...log.map(({ itemId }) => itemId),
    ...followers.map((follower) => follower.leaderId),
  ];
  const currentMembers = await readMembersByItem(tx, items);
  const publicIds = log.flatMap(({ storyId }) => idMap.publicOf(storyId) ?? []);
  const storyIds = [
    ...new Set([...publicIds, ...[...currentMembers.values()].map(({ story_id }) => story_id)]),
  ];
  const stories = await readStoriesById(tx, storyIds);
  const copies = await readAssignedDuplicates(tx, items);
  return {
    members: await listMembersOfStories(tx, storyIds),
    merged: new Set(storyIds.filter((id) => (stories.get(id)?.merged_into ?? null) !== null)),
    copies: new Map([...copies].map(([id, all]) => [id, all.filter((other) => other !== id)])),
  };
}
