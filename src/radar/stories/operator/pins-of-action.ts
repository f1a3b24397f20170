// The pins that make an operator's action permanent. Joined items are linked, separated items are
// kept apart, and pins that contradict the action are removed.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readAssignedDuplicates } from '../../../store/radar/stories/story-items.ts';
import { listMembersOfStories } from '../../../store/radar/stories/story-members.ts';
import { listPinsOfItems, type StoryPin } from '../../../store/radar/stories/story-pins.ts';
import type { Move, PinChange } from '../sync/changes.ts';
import { idsOf } from './run-action.ts';

type Sides = { readonly remaining: readonly string[]; readonly moved: readonly string[] };

/** Pins that join two lists of items: each moved item is linked to the first remaining item. */
export async function pinTogether(
  world: World,
  tx: Db,
  actionId: string,
  { remaining, moved }: Sides,
): Promise<PinChange> {
  const [keptItems, movedItems] = [await firstsOf(tx, remaining), await firstsOf(tx, moved)];
  const anchor = keptItems[0];
  const pins = await listPinsOfItems(tx, [...remaining, ...moved]);
  const removedPins = pins.filter(
    (pin) =>
      pin.kind === 'stand-alone' ||
      (pin.kind === 'cannot-link' && isBetweenGroups(pin, remaining, moved)),
  );
  if (anchor === undefined) return { added: [], removed: removedPins };
  const addedPins = movedItems.map((item) => newPin(world, actionId, 'must-link', [anchor, item]));
  return { added: addedPins, removed: removedPins };
}

/** Pins that separate two lists of items and keep the moved items together. */
export async function pinApart(
  world: World,
  tx: Db,
  actionId: string,
  { remaining, moved }: Sides,
): Promise<PinChange> {
  const [keptItems, [first, ...otherItems]] = [
    await firstsOf(tx, remaining),
    await firstsOf(tx, moved),
  ];
  const pins = await listPinsOfItems(tx, [...remaining, ...moved]);
  const removedPins = pins.filter(
    (pin) => pin.kind === 'must-link' && isBetweenGroups(pin, remaining, moved),
  );
  if (first === undefined) return { added: [], removed: removedPins };
  // The moved items are linked to each other, so one pin per remaining item separates all.
  const links = otherItems.map((item) => newPin(world, actionId, 'must-link', [first, item]));
  const separatingPins = keptItems.map((item) =>
    newPin(world, actionId, 'cannot-link', [first, item]),
  );
  return { added: [...links, ...separatingPins], removed: removedPins };
}

/** Pins that contradict these moves. */
export async function listPinsAgainst(
  tx: Db,
  moves: readonly Move[],
): Promise<readonly StoryPin[]> {
  const movedIds = moves.map(({ itemId }) => itemId);
  const otherMembers = await listOtherMembers(tx, moves, 'fromStoryId');
  const joined = await listOtherMembers(tx, moves, 'storyId');
  return (await listPinsOfItems(tx, movedIds)).filter(
    (pin) =>
      (pin.kind === 'must-link' && isBetweenGroups(pin, otherMembers, movedIds)) ||
      (pin.kind === 'cannot-link' && isBetweenGroups(pin, joined, movedIds)),
  );
}

/** Items of the stories that the moves leave or enter, without the moved items. */
export async function listOtherMembers(
  tx: Db,
  moves: readonly Move[],
  side: 'storyId' | 'fromStoryId',
): Promise<readonly string[]> {
  const storyIds = [...new Set(moves.flatMap((move) => move[side] ?? []))];
  const movedIds = new Set(moves.map(({ itemId }) => itemId));
  return idsOf(await listMembersOfStories(tx, storyIds)).filter((id) => !movedIds.has(id));
}

export const distinctPins = (pins: readonly StoryPin[]): readonly StoryPin[] => [
  ...new Map(pins.map((pin) => [pin.id, pin])).values(),
];

export function newPin(
  world: World,
  actionId: string,
  kind: StoryPin['kind'],
  [item, other]: readonly [string, string | null],
): StoryPin {
  const id = world.ids.next();
  return { id, kind, item_id: item, other_item_id: other, action_id: actionId };
}

/** The first item of each duplicate group. */
async function firstsOf(tx: Db, itemIds: readonly string[]): Promise<readonly string[]> {
  const duplicates = await readAssignedDuplicates(tx, itemIds);
  return [...new Set(itemIds.map((id) => duplicates.get(id)?.[0] ?? id))];
}

function isBetweenGroups(pin: StoryPin, a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [pin.item_id, pin.other_item_id ?? pin.item_id];
  return (a.includes(first) && b.includes(second)) || (b.includes(first) && a.includes(second));
}
