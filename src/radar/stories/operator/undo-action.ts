// Reverts an action of an operator or of the engine's repair. Items return to their previous
// stories, and a merged story is restored with its own id. Pins prevent the engine from repeating
// the action. Each action is undone once, and an undo is not undone.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readStoriesById, readSurvivors } from '../../../store/radar/stories/stories.ts';
import { findStoryAction, type StoryAction } from '../../../store/radar/stories/story-actions.ts';
import {
  listAssignmentsOfAction,
  type StoredAssignment,
} from '../../../store/radar/stories/story-assignments.ts';
import {
  listMembersOfStories,
  readMembersByItem,
} from '../../../store/radar/stories/story-members.ts';
import { listPinsOfAction, type StoryPin } from '../../../store/radar/stories/story-pins.ts';
import type { Move, PinChange } from '../sync/changes.ts';
import {
  distinctPins,
  listOtherMembers,
  listPinsAgainst,
  pinApart,
  pinTogether,
} from './pins-of-action.ts';
import {
  type ActionDetail,
  type ActionResult,
  actOnStories,
  type Decision,
  movesTo,
  type Operator,
} from './run-action.ts';

export async function undoAction(
  world: World,
  db: Db,
  request: Operator & { readonly actionId: string },
): Promise<ActionResult> {
  const undo = { ...request, action: 'undo', undoesId: request.actionId } as const;
  return actOnStories(world, db, undo, async (tx, undoId): Promise<Decision> => {
    const undoneAction = await findStoryAction(tx, request.actionId);
    if (undoneAction === null) return { kind: 'unknown', what: 'action', id: request.actionId };
    if (undoneAction.action === 'undo') {
      const reason = 'An undo cannot be undone: repeat the original action.';
      return { kind: 'refused', because: 'is_an_undo', why: reason };
    }
    if (undoneAction.undone_by !== null) {
      const reason = `The action was already undone by ${undoneAction.undone_by}.`;
      return { kind: 'refused', because: 'undone_already', why: reason };
    }
    const detail: ActionDetail = { stories: [], ...undoneAction.detail };
    const lines = await listAssignmentsOfAction(tx, undoneAction.id);
    const { moves, revived } = await reverseMoves(tx, lines, detail, undoId);
    if (lines.length > 0 && moves.length === 0) {
      const reason = 'The action can no longer be undone: its items have moved to other stories.';
      return { kind: 'refused', because: 'gone_elsewhere', why: reason };
    }
    const merged = await mergeBackEmptied(tx, moves);
    const pins = await restorePins(world, tx, { done: undoneAction, undoId, detail, moves });
    const stories = [...new Set([...detail.stories, ...moves.map(({ storyId }) => storyId)])];
    const closed = detail.closedBefore ?? [];
    return {
      kind: 'changes',
      detail: { stories },
      changes: { moves, revived, merged, closed, pins },
    };
  });
}

/** Items that have not moved since return to their previous stories. */
async function reverseMoves(
  tx: Db,
  lines: readonly StoredAssignment[],
  detail: ActionDetail,
  undoId: string,
) {
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

/** A story that the moves leave empty, such as one that a split created, is merged back. */
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

type UndoContext = {
  readonly done: StoryAction;
  readonly undoId: string;
  readonly detail: ActionDetail;
  readonly moves: readonly Move[];
};

/** Removes the action's pins, and restores the pins that the action removed. */
async function restorePins(
  world: World,
  tx: Db,
  { done, undoId, detail, moves }: UndoContext,
): Promise<PinChange> {
  const actionPins = await listPinsOfAction(tx, done.id);
  const restoredPins = (detail.removedPins ?? []).map((pin): StoryPin => {
    return { ...pin, id: world.ids.next(), action_id: undoId };
  });
  const lasting = await choosePinsAfterUndo(world, tx, { done, undoId, detail, moves });
  const removed = distinctPins([...actionPins, ...lasting.removed]);
  return { added: [...restoredPins, ...lasting.added], removed };
}

async function choosePinsAfterUndo(world: World, tx: Db, { done, undoId, moves }: UndoContext) {
  const moved = moves.map(({ itemId }) => itemId);
  if (done.action === 'merge') {
    const remaining = await listOtherMembers(tx, moves, 'fromStoryId');
    return pinApart(world, tx, undoId, { remaining, moved });
  }
  if (done.action === 'split') {
    const remaining = await listOtherMembers(tx, moves, 'storyId');
    return pinTogether(world, tx, undoId, { remaining, moved });
  }
  // The undo is the latest decision, so pins that contradict it are removed.
  return { added: [], removed: await listPinsAgainst(tx, moves) };
}
