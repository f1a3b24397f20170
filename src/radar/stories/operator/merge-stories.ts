// Merges two stories for an operator. The earlier story survives. The id of the other story
// redirects to the survivor until the merge is undone.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { listMembersOfStories } from '../../../store/radar/stories/story-members.ts';
import { pinTogether } from './pins-of-action.ts';
import {
  type ActionResult,
  actOnStories,
  findStories,
  idsOf,
  movesTo,
  type Operator,
  type StoryRef,
} from './run-action.ts';

export async function mergeStories(
  world: World,
  db: Db,
  request: Operator & { readonly stories: readonly [StoryRef, StoryRef] },
): Promise<ActionResult> {
  return actOnStories(world, db, { ...request, action: 'merge' }, async (tx, actionId) => {
    const stories = await findStories(tx, request.stories);
    if (stories.kind !== 'found') return stories;
    const [survivor, absorbed] = stories.stories.toSorted(
      (a, b) => a.founded_at - b.founded_at || (a.id < b.id ? -1 : 1),
    );
    if (survivor === undefined || absorbed === undefined || survivor.id === absorbed.id) {
      const reason = 'A story cannot be merged with itself.';
      return { kind: 'refused', because: 'itself', why: reason };
    }
    const members = await listMembersOfStories(tx, [survivor.id, absorbed.id]);
    const membersOf = (id: string) => members.filter(({ story_id }) => story_id === id);
    const [keptItems, movedItems] = [membersOf(survivor.id), membersOf(absorbed.id)];
    const sides = { remaining: idsOf(keptItems), moved: idsOf(movedItems) };
    const pins = await pinTogether(world, tx, actionId, sides);
    const reopens = survivor.is_closed && pins.removed.some(({ kind }) => kind === 'stand-alone');
    return {
      kind: 'changes',
      detail: {
        stories: [absorbed.id, survivor.id],
        gone: [absorbed.id],
        removedPins: pins.removed,
        closedBefore: reopens ? [{ id: survivor.id, isClosed: true }] : [],
      },
      storyIds: [survivor.id],
      changes: {
        moves: movesTo(survivor.id, movedItems, { reason: 'merged', actionId }),
        merged: [{ id: absorbed.id, into: survivor.id }],
        closed: reopens ? [{ id: survivor.id, isClosed: false }] : [],
        pins,
      },
    };
  });
}
