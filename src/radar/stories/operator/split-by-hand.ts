// Splits a story for an operator: the chosen items form a new story, and the remaining items keep
// the id. Duplicates of the chosen items move too.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readAssignedDuplicates } from '../../../store/radar/stories/story-items.ts';
import { listMembersOfStories } from '../../../store/radar/stories/story-members.ts';
import { newStoryId } from '../sync/story-id.ts';
import { pinApart } from './pins-of-action.ts';
import {
  type ActionResult,
  actOnStories,
  findStories,
  idsOf,
  movesTo,
  type Operator,
  type StoryRef,
} from './run-action.ts';

export async function splitByHand(
  world: World,
  db: Db,
  request: Operator & { readonly story: StoryRef; readonly itemIds: readonly string[] },
): Promise<ActionResult> {
  return actOnStories(world, db, { ...request, action: 'split' }, async (tx, actionId) => {
    const stories = await findStories(tx, [request.story]);
    if (stories.kind !== 'found') return stories;
    const members = await listMembersOfStories(tx, [request.story.id]);
    const unknownId = request.itemIds.find((id) => !members.some(({ item_id }) => item_id === id));
    if (unknownId !== undefined) {
      const reason = `Item ${unknownId} is not in this story.`;
      return { kind: 'refused', because: 'not_a_member', why: reason };
    }
    const movedIds = new Set(
      [...(await readAssignedDuplicates(tx, request.itemIds)).values()].flat(),
    );
    const movedMembers = members.filter(({ item_id }) => movedIds.has(item_id));
    const remaining = members.filter(({ item_id }) => !movedIds.has(item_id));
    if (movedMembers.length === 0) {
      const reason = 'Name at least one item for the new story.';
      return { kind: 'refused', because: 'none_chosen', why: reason };
    }
    if (remaining.length === 0) {
      const reason = 'No item would remain: duplicates always move together.';
      return { kind: 'refused', because: 'nothing_left', why: reason };
    }
    const newId = newStoryId(world);
    const sides = { remaining: idsOf(remaining), moved: idsOf(movedMembers) };
    const pins = await pinApart(world, tx, actionId, sides);
    const foundedAt = Math.min(...movedMembers.map(({ at }) => at));
    return {
      kind: 'changes',
      detail: { stories: [request.story.id, newId], removedPins: pins.removed },
      changes: {
        founded: [{ id: newId, foundedAt, isClosed: false }],
        moves: movesTo(newId, movedMembers, { reason: 'split', actionId }),
        pins,
      },
    };
  });
}
