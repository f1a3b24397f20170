// Requests a model's advice about a batch before the batch is decided. A model takes seconds, so
// this happens outside of transactions. Only items that the engine assigns by similarity are sent:
// the others are pinned or duplicates. Uncertain merges are sent after the batch is decided.

import { mapInParts } from '../../../kernel/concurrency/map-in-parts.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  readAssignedDuplicates,
  readStoryItemRows,
} from '../../../store/radar/stories/story-items.ts';
import { readMembersByItem } from '../../../store/radar/stories/story-members.ts';
import type { Advice } from '../advice/advice.ts';
import type { MergeCandidate, MergeVerdict } from '../advice/merge-candidates.ts';
import type { Adviser } from '../advice/open-adviser.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { EngineReplica } from './engine-replica.ts';
import { reportTimeOf, storyItemOf } from './item-from-row.ts';

/** Concurrent requests of one batch. */
const CONCURRENCY = 6;

/** Undefined when no advice is available: the engine decides alone. */
export async function adviseBatch(
  world: World,
  db: Db,
  adviser: Adviser,
  { ids, replica }: { readonly ids: readonly string[]; readonly replica: EngineReplica },
): Promise<ReadonlyMap<string, Advice> | undefined> {
  try {
    const items = await listItemsToPlace(db, ids);
    if (items.length === 0) return undefined;
    const neighbours = await adviser.adviseByVectors(world, items);
    const requests = items.flatMap((item) => {
      const advice = neighbours.get(item.id);
      return advice === undefined ? [] : [{ item, advice }];
    });
    const proposals = await replica.engine.propose(requests);
    const otherIds = proposals.flatMap(({ near: all }) => all.flatMap(({ itemIds }) => itemIds));
    const knownItems = await readStoryItems(db, [...new Set(otherIds)]);
    const advised = await mapInParts(requests, CONCURRENCY, async ({ item, advice }) => {
      const proposal = proposals.find(({ itemId }) => itemId === item.id);
      if (proposal === undefined) return [item.id, advice] as const;
      const uncertainMatch = { proposal, advice, itemOf: (id: string) => knownItems.get(id) };
      return [item.id, await adviser.relate(world, item, uncertainMatch)] as const;
    });
    return new Map(advised);
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'stories are assigned without advice of a model');
    return undefined;
  }
}

/** At most this number of pairs, the likeliest ones, is sent to the model. */
const MAX_PAIRS = 20;

/** Without a reply in time, the engine decides each pair alone. */
export async function adviseMerges(
  world: World,
  db: Db,
  adviser: Adviser,
  { candidates, signal }: { candidates: readonly MergeCandidate[]; signal: AbortSignal },
): Promise<readonly MergeVerdict[]> {
  const noReplies = candidates.map((pair): MergeVerdict => ({ ...pair, verdict: 'no-reply' }));
  if (candidates.length === 0 || signal.aborted) return noReplies;
  const pairs = candidates.slice(0, MAX_PAIRS);
  try {
    const ids = pairs.flatMap(({ a, b }) => [...a, ...b]);
    const items = await readStoryItems(db, [...new Set(ids)]);
    const verdicts = await adviser.relateStories(world, pairs, (id) => items.get(id));
    return [...verdicts, ...noReplies.slice(pairs.length)];
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'merges are decided without advice of a model');
    return noReplies;
  }
}

/** The first item of each duplicate group that has no story yet. */
async function listItemsToPlace(db: Db, ids: readonly string[]): Promise<readonly StoryItem[]> {
  const [rows, known, duplicates] = await Promise.all([
    readStoryItemRows(db, ids),
    readMembersByItem(db, ids),
    readAssignedDuplicates(db, ids),
  ]);
  const seenGroups = new Set<string>();
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (row === undefined || known.has(id) || seenGroups.has(row.group_id)) return [];
    if (duplicates.get(id)?.[0] !== undefined) return [];
    seenGroups.add(row.group_id);
    return [storyItemOf(row, reportTimeOf(row))];
  });
}

/** Items that have a story, by id. */
export async function readStoryItems(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoryItem>> {
  const [rows, members] = await Promise.all([
    readStoryItemRows(db, ids),
    readMembersByItem(db, ids),
  ]);
  return new Map(
    [...rows].flatMap(([id, row]) => {
      const at = members.get(id)?.at;
      return at === undefined ? [] : [[id, storyItemOf(row, at)] as const];
    }),
  );
}
