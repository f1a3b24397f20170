// Splits a story for an operator: the chosen items form a new story, and the rest keeps the id.
// Duplicates of the chosen items move too.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readNewsOfItems } from '../../../store/radar/stories/story-items.ts';
import { listMembersOfStories } from '../../../store/radar/stories/story-members.ts';
import { newStoryId } from '../sync/story-id.ts';
import { pinApart } from './pins-of-action.ts';
import {
  type ActionResult,
  actOnStories,
  findStories,
  movesTo,
  newAction,
  type Operator,
  type StoryRef,
} from './run-action.ts';

export async function splitByHand(
  world: World,
  db: Db,
  request: Operator & { readonly story: StoryRef; readonly itemIds: readonly string[] },
): Promise<ActionResult> {
  return actOnStories(world, db, async (tx) => {
    const stories = await findStories(tx, [request.story]);
    if (stories.kind !== 'found') return stories;
    const members = await listMembersOfStories(tx, [request.story.id]);
    const unknownId = request.itemIds.find((id) => !members.some(({ item_id }) => item_id === id));
    if (unknownId !== undefined) {
      const reason = `Item ${unknownId} is not in that story.`;
      return { kind: 'refused', because: 'not_a_member', why: reason };
    }
    const movedIds = new Set([...(await readNewsOfItems(tx, request.itemIds)).values()].flat());
    const movedMembers = members.filter(({ item_id }) => movedIds.has(item_id));
    const remaining = members.filter(({ item_id }) => !movedIds.has(item_id));
    if (movedMembers.length === 0) {
      const reason = 'Name the items that are to leave it.';
      return { kind: 'refused', because: 'none_chosen', why: reason };
    }
    if (remaining.length === 0) {
      const reason = 'No item would remain: duplicates always move together.';
      return { kind: 'refused', because: 'nothing_left', why: reason };
    }
    const newId = newStoryId(world);
    const action = newAction(world, 'split', request, { stories: [] });
    const sides = { remaining: remaining.map(idOf), moved: movedMembers.map(idOf) };
    const { added, removed } = await pinApart(world, tx, action.id, sides);
    const foundedAt = Math.min(...movedMembers.map(({ at }) => at));
    return {
      kind: 'changes',
      action: { ...action, detail: { stories: [request.story.id, newId], removedPins: removed } },
      storyIds: [request.story.id, newId],
      changes: {
        founded: [{ id: newId, foundedAt, isClosed: false }],
        moves: movesTo(newId, movedMembers, { reason: 'split', actionId: action.id }),
        pins: { added, removed: removed.map(({ id }) => id) },
      },
    };
  });
}

const idOf = ({ item_id }: { readonly item_id: string }) => item_id;
