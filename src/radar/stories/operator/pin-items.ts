// Operators pin items: two items in one story, two items in different stories, or one item alone. A
// pin is permanent and moves the items immediately. The removal of a pin moves nothing, but the
// engine may then decide again.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  readAssignedDuplicates,
  readStoryItemRows,
} from '../../../store/radar/stories/story-items.ts';
import {
  listMembersOfStories,
  readMembersByItem,
} from '../../../store/radar/stories/story-members.ts';
import {
  findPin,
  listPinsOfItems,
  type StoryPin,
} from '../../../store/radar/stories/story-pins.ts';
import type { StoryChanges } from '../sync/changes.ts';
import { newStoryId } from '../sync/story-id.ts';
import { distinctPins, listPinsAgainst, newPin } from './pins-of-action.ts';
import {
  type ActionDetail,
  type ActionRefusal,
  type ActionResult,
  actOnStories,
  type Decision,
  movesTo,
  type Operator,
} from './run-action.ts';

export type PinRequest =
  | { readonly kind: 'must-link' | 'cannot-link'; readonly items: readonly [string, string] }
  | { readonly kind: 'stand-alone'; readonly items: readonly [string] };

export async function pinItems(
  world: World,
  db: Db,
  request: Operator & { readonly pin: PinRequest },
): Promise<ActionResult> {
  return actOnStories(world, db, { ...request, action: 'pin' }, async (tx, actionId) => {
    const { pin } = request;
    const [item, other = null] = pin.items;
    const refused = await findRefusal(tx, pin);
    if (refused !== null) return refused;
    const contradicted = (await listPinsOfItems(tx, pin.items)).filter((each) =>
      contradicts(each, pin),
    );
    const { changes, ...detail } = await movesOf(world, tx, pin, actionId);
    // The newest pin wins; contradicting earlier pins are removed.
    const brokenPins = await listPinsAgainst(tx, changes.moves ?? []);
    const removed = distinctPins([...contradicted, ...brokenPins]);
    const added = [newPin(world, actionId, pin.kind, [item, other])];
    const storedPin = { kind: pin.kind, item_id: item, other_item_id: other };
    return {
      kind: 'changes',
      detail: { ...detail, removedPins: removed, pin: storedPin },
      changes: { ...changes, pins: { added, removed } },
    };
  });
}

export async function unpinItems(
  world: World,
  db: Db,
  request: Operator & { readonly pinId: string },
): Promise<ActionResult> {
  return actOnStories(world, db, { ...request, action: 'unpin' }, async (tx): Promise<Decision> => {
    const pin = await findPin(tx, request.pinId);
    if (pin === null) return { kind: 'unknown', what: 'pin', id: request.pinId };
    const members = await readMembersByItem(tx, [pin.item_id]);
    const storyId = members.get(pin.item_id)?.story_id;
    const reopened = pin.kind === 'stand-alone' && storyId !== undefined ? [storyId] : [];
    return {
      kind: 'changes',
      detail: {
        stories: storyId === undefined ? [] : [storyId],
        removedPins: [pin],
        closedBefore: reopened.map((id) => ({ id, isClosed: true })),
      },
      changes: {
        closed: reopened.map((id) => ({ id, isClosed: false })),
        pins: { added: [], removed: [pin] },
      },
    };
  });
}

async function findRefusal(tx: Db, pin: PinRequest): Promise<ActionRefusal | null> {
  const rows = await readStoryItemRows(tx, pin.items);
  const missingItem = pin.items.find((id) => !rows.has(id));
  if (missingItem !== undefined) return { kind: 'unknown', what: 'item', id: missingItem };
  const [first, second] = pin.items.map((id) => rows.get(id)?.group_id);
  if (pin.kind === 'stand-alone' || first !== second) return null;
  const reason = 'These items are duplicates, which always belong to one story.';
  return { kind: 'refused', because: 'same_news', why: reason };
}

/**
 * True when the earlier pin `before` contradicts the new pin. Both name at least one common item.
 */
function contradicts(before: StoryPin, { kind, items }: PinRequest): boolean {
  const isSamePair = [before.item_id, before.other_item_id].every((id) =>
    items.some((i) => i === id),
  );
  switch (kind) {
    case 'must-link':
      return before.kind === 'stand-alone' || (before.kind === 'cannot-link' && isSamePair);
    case 'cannot-link':
      return before.kind === 'must-link' && isSamePair;
    case 'stand-alone':
      return before.kind !== 'cannot-link';
  }
}

type PinResult = ActionDetail & { readonly changes: Partial<StoryChanges> };

/** The changes that move the second item of the pin, or its only item, with all duplicates. */
async function movesOf(
  world: World,
  tx: Db,
  pin: PinRequest,
  actionId: string,
): Promise<PinResult> {
  const movedId = pin.kind === 'stand-alone' ? pin.items[0] : pin.items[1];
  const members = await readMembersByItem(tx, pin.items);
  const [mover, stationary] = [members.get(movedId), members.get(pin.items[0])];
  const stories = [...new Set([...members.values()].map(({ story_id }) => story_id))];
  const noChange = { changes: {}, stories, gone: [], closedBefore: [] };
  // An item that is still queued is assigned by the pin when the queue is processed.
  if (mover === undefined || stationary === undefined) return noChange;
  const isSameStory = mover.story_id === stationary.story_id;
  if (pin.kind !== 'stand-alone' && isSameStory === (pin.kind === 'must-link')) return noChange;
  const duplicateIds = new Set(
    (await readAssignedDuplicates(tx, [movedId])).get(movedId) ?? [movedId],
  );
  const story = await listMembersOfStories(tx, [mover.story_id]);
  const moving = story.filter(({ item_id }) => duplicateIds.has(item_id));
  const movesWholeStory = moving.length === story.length;
  const cause = { reason: 'pinned', actionId } as const;
  if (pin.kind === 'must-link') {
    const from = mover.story_id;
    return {
      changes: {
        moves: movesTo(stationary.story_id, moving, cause),
        merged: movesWholeStory ? [{ id: from, into: stationary.story_id }] : [],
      },
      stories: [stationary.story_id, from],
      gone: movesWholeStory ? [from] : [],
      closedBefore: [],
    };
  }
  const isClosed = pin.kind === 'stand-alone';
  // The items are the whole story already, so the pin affects only later assignments.
  if (movesWholeStory) {
    const closed = [{ id: mover.story_id, isClosed }];
    const closedBefore = [{ id: mover.story_id, isClosed: false }];
    return { changes: { closed }, stories: [mover.story_id], gone: [], closedBefore };
  }
  const newId = newStoryId(world);
  const foundedAt = Math.min(...moving.map(({ at }) => at));
  return {
    changes: {
      founded: [{ id: newId, foundedAt, isClosed }],
      moves: movesTo(newId, moving, cause),
    },
    stories: [mover.story_id, newId],
    gone: [],
    closedBefore: [],
  };
}
