// An engine replica is an engine with the state that must match it: the last applied decision,
// story ids and pins. The replica is rebuilt from the store. After a failed transaction the engine
// contains decisions that were not stored, so it is discarded.
import type { Db } from '../../../kernel/ports/db.ts';
import { inSnapshot, inTransaction } from '../../../store/platform/db.ts';
import { findPublicationEpoch } from '../../../store/radar/publication/publication-head.ts';
import { saveFeatures } from '../../../store/radar/stories/story-features.ts';
import { readStoryHead } from '../../../store/radar/stories/story-head.ts';
import { readLiveMembers, type StoryMember } from '../../../store/radar/stories/story-members.ts';
import type { Step } from './engine-commands.ts';
import type { EngineThread } from './engine-thread.ts';
import { type PinTable, readPins } from './pins-in-engine.ts';
import { readEngineItems } from './read-engine-items.ts';
import { openStoryIdMap, type StoryIdMap } from './story-id-map.ts';

export type EngineReplica = {
  readonly engine: EngineThread;
  readonly idMap: StoryIdMap;
  /** The number of the last decision that was applied. */
  seq: number;
  pins: PinTable;
  /** Stories without a report since then were evicted, epoch milliseconds. */
  evictedBefore: number;
  /** The epoch of the database from which it was built. */
  readonly epoch: string | null;
};

/** False: the database was restored to an earlier state without some of its decisions. */
export async function isContinued(db: Db, replica: EngineReplica): Promise<boolean> {
  const { seq } = await readStoryHead(db);
  return seq >= replica.seq && (await findPublicationEpoch(db)) === replica.epoch;
}

/** Number of items in one request to the engine. An item's features take a few thousand bytes. */
const ITEMS_IN_PART = 1_000;

/** `evictedBefore`: stories without a report since then are excluded. */
export async function rebuildReplica(
  db: Db,
  engine: EngineThread,
  evictedBefore: number,
): Promise<EngineReplica> {
  const { featureVersion } = engine.rules;
  await engine.begin();
  return inSnapshot(db, async (tx) => {
    const { seq } = await readStoryHead(tx);
    const pins = await readPins(tx);
    await engine.execute([...pins.values()].map((pin) => ({ kind: 'pin', pin })));
    const seenGroups = new Set<string>();
    // The next part is read while the engine computes this one.
    const parts = liveMembersInParts(tx, evictedBefore);
    const next = async (): Promise<readonly Step[] | null> => {
      const { value } = await parts.next();
      return value === undefined ? null : stepsOf(tx, featureVersion, value, seenGroups);
    };
    for (let steps = await next(); steps !== null; ) {
      const [{ features }, following] = await Promise.all([engine.execute(steps), next()]);
      steps = following;
      // Stores the features of texts that had to be read, for the next start.
      if (features.length > 0) {
        await inTransaction(db, (ownTx) => saveFeatures(ownTx, featureVersion, features));
      }
    }
    const epoch = await findPublicationEpoch(tx);
    return { engine, idMap: openStoryIdMap(), seq, pins, evictedBefore, epoch };
  });
}

async function* liveMembersInParts(tx: Db, since: number) {
  for await (const page of readLiveMembers(tx, since)) {
    for (let from = 0; from < page.length; from += ITEMS_IN_PART) {
      yield page.slice(from, from + ITEMS_IN_PART);
    }
  }
}

/**
 * The first item of each duplicate group represents the group. `seenGroups` has the ids of the
 * groups that already have one.
 */
async function stepsOf(
  tx: Db,
  featureVersion: string,
  members: readonly StoryMember[],
  seenGroups: Set<string>,
): Promise<readonly Step[]> {
  const engineItems = await readEngineItems(tx, featureVersion, members);
  return members.flatMap(({ item_id, story_id }): readonly Step[] => {
    const engineItem = engineItems.get(item_id);
    if (engineItem === undefined || seenGroups.has(engineItem.groupId)) return [];
    seenGroups.add(engineItem.groupId);
    return [{ kind: 'place', storyId: story_id, ...engineItem.placement }];
  });
}
