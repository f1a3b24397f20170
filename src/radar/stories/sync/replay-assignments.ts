// Brings an engine up to date before it decides: applies the decisions of other workers and of
// operators, updates pins, and evicts old stories.
import type { Db } from '../../../kernel/ports/db.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { listAssignmentsAfter } from '../../../store/radar/stories/story-assignments.ts';
import { deleteFeaturesBefore, saveFeatures } from '../../../store/radar/stories/story-features.ts';
import { lockStories, type StoryHead } from '../../../store/radar/stories/story-head.ts';
import {
  readAssignedDuplicates,
  readStoryItemRows,
} from '../../../store/radar/stories/story-items.ts';
import { readMembersByItem } from '../../../store/radar/stories/story-members.ts';
import type { Step } from './engine-commands.ts';
import type { EngineReplica } from './engine-replica.ts';
import { storyItemOf } from './item-from-row.ts';
import { pinsBetween, readPins } from './pins-in-engine.ts';
import { readEngineItems } from './read-engine-items.ts';

const BATCH_SIZE = 1_000;

/**
 * Locks and returns the story head. `evictBefore`: stories without a report since then are evicted,
 * epoch milliseconds.
 */
export async function catchUp(
  tx: Db,
  { replica, evictBefore }: { readonly replica: EngineReplica; readonly evictBefore: number },
): Promise<StoryHead> {
  const head = await lockStories(tx);
  while (replica.seq < head.seq) {
    const assignments = await listAssignmentsAfter(tx, replica.seq, BATCH_SIZE);
    // Only the final assignment of each item matters to an engine.
    const last = new Map(
      assignments.map((assignment) => [assignment.item_id, assignment.story_id]),
    );
    const { features } = await replica.engine.execute(await listPlaceSteps(tx, replica, last));
    await saveFeatures(tx, replica.engine.rules.featureVersion, features);
    replica.seq = assignments.at(-1)?.seq ?? head.seq;
  }
  await syncPins(tx, replica);
  if (evictBefore - replica.evictedBefore < HOUR_MS) return head;
  const storyIds = replica.idMap.engineIds();
  const { evictedStories } = await replica.engine.execute([
    { kind: 'forget', olderThanMs: evictBefore, storyIds },
  ]);
  for (const id of evictedStories) replica.idMap.dropEngine(id);
  await deleteFeaturesBefore(tx, evictBefore);
  replica.evictedBefore = evictBefore;
  return head;
}

/**
 * Steps that place these items. An engine contains only the first item of each duplicate group; the
 * store moves the others with it.
 */
async function listPlaceSteps(
  tx: Db,
  { engine, idMap }: EngineReplica,
  stories: ReadonlyMap<string, string>,
): Promise<readonly Step[]> {
  const ids = [...stories.keys()];
  const [members, duplicates] = [
    await readMembersByItem(tx, ids),
    await readAssignedDuplicates(tx, ids),
  ];
  const engineItems = await readEngineItems(tx, engine.rules.featureVersion, [...members.values()]);
  return [...stories].flatMap(([itemId, publicId]): readonly Step[] => {
    const engineItem = engineItems.get(itemId);
    if (engineItem === undefined || duplicates.get(itemId)?.[0] !== itemId) return [];
    return [{ kind: 'place', storyId: idMap.engineOf(publicId), ...engineItem.placement }];
  });
}

async function syncPins(tx: Db, replica: EngineReplica): Promise<void> {
  const pins = await readPins(tx);
  const { added, removed } = pinsBetween(replica.pins, pins);
  if (added.length + removed.length === 0) return;
  const steps: Step[] = removed.map((pin) => ({ kind: 'unpin', pin }));
  const standAlone = [...removed, ...added].flatMap((p) =>
    p.kind === 'stand-alone' ? [p.item] : [],
  );
  const members = await readMembersByItem(tx, standAlone);
  const rows = await readStoryItemRows(tx, standAlone);
  for (const pin of removed) {
    if (pin.kind !== 'stand-alone') continue;
    const [row, member] = [rows.get(pin.item), members.get(pin.item)];
    if (row === undefined || member === undefined) continue;
    const storyId = replica.idMap.engineOf(member.story_id);
    steps.push({ kind: 'reopen', item: storyItemOf(row, member.at), storyId });
  }
  const reply = await replica.engine.execute([
    ...steps,
    ...added.map((pin): Step => ({ kind: 'pin', pin })),
  ]);
  // The engine has created a story for each separated item.
  for (const [itemId, engineId] of reply.separatedStories) {
    const storyId = members.get(itemId)?.story_id;
    if (storyId !== undefined) replica.idMap.set(engineId, storyId);
  }
  replica.pins = pins;
}
