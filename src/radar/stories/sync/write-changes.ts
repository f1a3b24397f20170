// All decisions about stories are written here: log, members, stories, actions and pins. The
// affected documents are published in the same transaction. The caller has locked the stories'
// head.

import { requirePresent } from '../../../kernel/errors/assert.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { lockPublication } from '../../../store/radar/publication/publication-head.ts';
import {
  insertStories,
  listChainsInto,
  raiseStoryVersions,
  readSurvivors,
  setMergedInto,
  setStoryClosed,
} from '../../../store/radar/stories/stories.ts';
import { insertStoryActions } from '../../../store/radar/stories/story-actions.ts';
import { appendAssignments } from '../../../store/radar/stories/story-assignments.ts';
import { putDevelopments } from '../../../store/radar/stories/story-developments.ts';
import { type StoryHead, saveStoryHead } from '../../../store/radar/stories/story-head.ts';
import { replaceLinks } from '../../../store/radar/stories/story-links.ts';
import { putMembers, readMembersByItem } from '../../../store/radar/stories/story-members.ts';
import { deletePins, insertPins } from '../../../store/radar/stories/story-pins.ts';
import { removeFromStoryQueue } from '../../../store/radar/stories/story-queue.ts';
import { publishStories } from '../../publication/publish-stories.ts';
import type { Move, StoryChanges } from './changes.ts';

export type WriteResult = {
  /** Sequence number of the last assignment. */
  readonly seq: number;
  readonly publicationSeq: number;
};

/** `doneIds`: items that no longer wait for a story, also when they did not move. */
export async function writeChanges(
  world: World,
  tx: Db,
  head: StoryHead,
  { changes, doneIds }: { readonly changes: StoryChanges; readonly doneIds: readonly string[] },
): Promise<WriteResult> {
  const seq = head.seq + changes.moves.length;
  // The survivors are read before the merges are reverted, because these survivors are published
  // again too.
  const survivors = await readSurvivors(tx, changes.revived);
  await writeStories(tx, changes);
  await insertStoryActions(tx, changes.actions);
  await writeMoves(world, tx, head.seq, changes);
  await putDevelopments(
    tx,
    Array.from(changes.developments, ([item_id, development]) => ({ item_id, development })),
  );
  for (const { id, into } of changes.merged) await setMergedInto(tx, id, into);
  await deletePins(
    tx,
    changes.pins.removed.map(({ id }) => id),
  );
  await insertPins(tx, changes.pins.added);
  await replaceLinks(tx, changes.linked, changes.links);
  const actionIds = new Set(changes.actions.map(({ id }) => id));
  // Only actions raise versions: a story that an operator saw stays valid when a report is added.
  const operatorMoves = changes.moves.filter(({ actionId }) => actionIds.has(actionId ?? ''));
  await raiseStoryVersions(tx, storiesIn(changes, operatorMoves));
  await saveStoryHead(tx, { ...head, seq });
  const itemIds = [...new Set(changes.moves.map(({ itemId }) => itemId))];
  const touchedStories = [...storiesIn(changes, changes.moves), ...changes.linked];
  const storyIds = await listChainsInto(tx, [...touchedStories, ...survivors.values()]);
  const isUnchanged = itemIds.length + storyIds.length === 0;
  // The lock of the stories' head protects the rows above. This call locks the publication, so that
  // other publishers wait. Other publishers also write the story queue, so the rows of the queue
  // are removed after the lock.
  const publicationSeq = isUnchanged
    ? (await lockPublication(world, tx)).seq
    : await publishStories(world, tx, { itemIds, storyIds });
  await removeFromStoryQueue(tx, doneIds);
  return { seq, publicationSeq };
}

async function writeStories(tx: Db, { founded, revived, closed }: StoryChanges): Promise<void> {
  await insertStories(
    tx,
    founded.map(({ id, foundedAt, isClosed }) => {
      return { id, founded_at: foundedAt, merged_into: null, is_closed: isClosed, version: 1 };
    }),
  );
  for (const id of revived) await setMergedInto(tx, id, null);
  for (const { id, isClosed } of closed) await setStoryClosed(tx, id, isClosed);
}

async function writeMoves(world: World, tx: Db, after: number, { moves, times }: StoryChanges) {
  const at = world.clock.now();
  const currentMembers = await readMembersByItem(
    tx,
    moves.map(({ itemId }) => itemId),
  );
  const last = new Map<string, { readonly move: Move; readonly ordinal: number }>();
  moves.forEach((move, index) => {
    const { itemId } = move;
    const ordinal =
      last.get(itemId)?.ordinal ?? currentMembers.get(itemId)?.ordinal ?? after + index + 1;
    last.set(itemId, { move, ordinal });
  });
  await appendAssignments(
    tx,
    moves.map((move, index) => ({
      seq: after + index + 1,
      item_id: move.itemId,
      story_id: move.storyId,
      from_story_id: move.fromStoryId,
      at,
      reason: move.reason,
      score: move.score,
      features: move.features,
      rules_version: move.rulesVersion,
      action_id: move.actionId,
    })),
  );
  await putMembers(
    tx,
    [...last].map(([itemId, { move, ordinal }]) => {
      const time = currentMembers.get(itemId)?.at ?? times.get(itemId);
      return {
        item_id: itemId,
        story_id: move.storyId,
        at: requirePresent(time, `time of ${itemId}`),
        ordinal,
      };
    }),
  );
}

/** Stories of these moves, and stories that were merged, revived, closed or opened. */
function storiesIn(
  { merged, closed, revived }: StoryChanges,
  moves: readonly Move[],
): readonly string[] {
  return [
    ...new Set([
      ...moves.flatMap(({ storyId, fromStoryId }) => [storyId, fromStoryId ?? storyId]),
      ...merged.flatMap(({ id, into }) => [id, into]),
      ...closed.map(({ id }) => id),
      ...revived,
    ]),
  ];
}
