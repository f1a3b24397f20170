// Reverts an action of an operator or of the engine's repair. Items return to their previous
// stories, and a merged story lives again under its own name. Pins prevent the engine from
// repeating the action. Each action is undone once, and an undo is not undone.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readStoriesById, readSurvivors } from '../../../store/radar/stories/stories.ts';
import { findStoryAction, type StoryAction } from '../../../store/radar/stories/story-actions.ts';
import { listAssignmentsOfAction } from '../../../store/radar/stories/story-assignments.ts';
import {
  listMembersOfStories,
  readMembersByItem,
} from '../../../store/radar/stories/story-members.ts';
import { listPinsOfAction, type StoryPin } from '../../../store/radar/stories/story-pins.ts';
import type { Move } from '../sync/changes.ts';
import { listPinsAgainst, type PinChange, pinApart, pinTogether } from './pins-of-action.ts';
import {
  type ActDetail,
  type ActionResult,
  actOnStories,
  type Decision,
  movesTo,
  newAction,
  type Operator,
} from './run-action.ts';

export async function undoAction(
  world: World,
  db: Db,
  request: Operator & { readonly actionId: string },
): Promise<ActionResult> {
  return actOnStories(world, db, async (tx): Promise<Decision> => {
    const undoneAction = await findStoryAction(tx, request.actionId);
    if (undoneAction === null) return { kind: 'unknown', what: 'act', id: request.actionId };
    if (undoneAction.action === 'undo') {
      const reason = 'An undo cannot be undone: repeat the original action.';
      return { kind: 'refused', because: 'is_an_undo', why: reason };
    }
    if (undoneAction.undone_by !== null) {
      const reason = `It is undone already, by ${undoneAction.undone_by}.`;
      return { kind: 'refused', because: 'undone_already', why: reason };
    }
    const detail: ActDetail = { stories: [], ...undoneAction.detail };
    const undo = newAction(world, 'undo', request, {
      stories: detail.stories,
      undoesId: undoneAction.id,
    });
    const { moves, revived } = await reverseMoves(tx, undoneAction, detail, undo.id);
    const hasMoved = (await listAssignmentsOfAction(tx, undoneAction.id)).length > 0;
    if (hasMoved && moves.length === 0) {
      const reason = 'It cannot be undone any more: its items have moved to other stories.';
      return { kind: 'refused', because: 'gone_elsewhere', why: reason };
    }
    const merged = await mergeBackEmptied(tx, moves);
    const pins = await restorePins(world, tx, {
      done: undoneAction,
      undoId: undo.id,
      detail,
      moves,
    });
    const stories = [...new Set([...detail.stories, ...moves.map(({ storyId }) => storyId)])];
    return {
      kind: 'changes',
      action: { ...undo, detail: { stories } },
      storyIds: stories,
      changes: {
        moves,
        revived,
        merged,
        closed: detail.closedBefore ?? [],
        pins: { added: pins.added, removed: pins.removed.map(({ id }) => id) },
      },
    };
  });
}

/** Items that have not moved since return to their previous stories. */
async function reverseMoves(tx: Db, action: StoryAction, detail: ActDetail, undoId: string) {
  const lines = await listAssignmentsOfAction(tx, action.id);
  const members = await readMembersByItem(
    tx,
    lines.map((assignment) => assignment.item_id),
  );
  const storyIds = lines.flatMap((assignment) => [
    assignment.story_id,
    assignment.from_story_id ?? assignment.story_id,
  ]);
  const [stories, survivors] = [
    await readStoriesById(tx, storyIds),
    await readSurvivors(tx, storyIds),
  ];
  const revived = new Set<string>();
  const moves = lines.flatMap((assignment): readonly Move[] => {
    const from = members.get(assignment.item_id)?.story_id;
    const before = assignment.from_story_id;
    if (from === undefined || before === null || from !== survivors.get(assignment.story_id))
      return [];
    const isGone = (detail.gone ?? []).includes(before);
    if (isGone && stories.get(before)?.merged_into !== null) revived.add(before);
    const storyId = isGone ? before : (survivors.get(before) ?? before);
    if (storyId === from) return [];
    const moved = [{ item_id: assignment.item_id, story_id: from }];
    return movesTo(storyId, moved, { reason: 'undone', actionId: undoId });
  });
  return { moves, revived: [...revived] };
}

/** A story that a split created, and that has not changed since, is merged back. */
async function mergeBackEmptied(tx: Db, moves: readonly Move[]) {
  const oldStories = [...new Set(moves.flatMap(({ fromStoryId }) => fromStoryId ?? []))];
  const members = await listMembersOfStories(tx, oldStories);
  const movedIds = new Set(moves.map(({ itemId }) => itemId));
  return oldStories.flatMap((id) => {
    const isEmpty = members.every(
      (member) => member.story_id !== id || movedIds.has(member.item_id),
    );
    const into = moves.findLast(({ fromStoryId }) => fromStoryId === id)?.storyId;
    return isEmpty && into !== undefined ? [{ id, into }] : [];
  });
}

type UndoResult = {
  readonly done: StoryAction;
  readonly undoId: string;
  readonly detail: ActDetail;
  readonly moves: readonly Move[];
};

/** Removes the action's pins and restores those that it removed. */
async function restorePins(
  world: World,
  tx: Db,
  { done, undoId, detail, moves }: UndoResult,
): Promise<PinChange> {
  const actionPins = await listPinsOfAction(tx, done.id);
  const restoredPins = (detail.removedPins ?? []).map((pin): StoryPin => {
    return { ...pin, id: world.ids.next(), action_id: undoId };
  });
  const lasting = await lastingPins(world, tx, { done, undoId, detail, moves });
  const removedPins = new Map([...actionPins, ...lasting.removed].map((pin) => [pin.id, pin]));
  return { added: [...restoredPins, ...lasting.added], removed: [...removedPins.values()] };
}

async function lastingPins(world: World, tx: Db, { done, undoId, moves }: UndoResult) {
  const movedIds = moves.map(({ itemId }) => itemId);
  const stories = (pick: (move: Move) => string | null) =>
    moves.flatMap((move) => pick(move) ?? []);
  const itemsOf = async (ids: readonly string[]) =>
    (await listMembersOfStories(tx, [...new Set(ids)]))
      .map(({ item_id }) => item_id)
      .filter((id) => !movedIds.includes(id));
  if (done.action === 'merge') {
    const sourceItems = await itemsOf(stories(({ fromStoryId }) => fromStoryId));
    return pinApart(world, tx, undoId, { remaining: sourceItems, moved: movedIds });
  }
  if (done.action === 'split') {
    const targetItems = await itemsOf(stories(({ storyId }) => storyId));
    return pinTogether(world, tx, undoId, { remaining: targetItems, moved: movedIds });
  }
  // The latest decision holds: a later pin that contradicts it is removed.
  return { added: [], removed: await listPinsAgainst(tx, moves) };
}
