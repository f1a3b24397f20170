// Converts the engine's log to changes in the store. Engine ids become public ids, and duplicates
// follow the first item of their group. An emptied story is merged into another one. A story that
// was founded and emptied within one log is omitted.
import { requirePresent } from '../../../kernel/errors/assert.ts';
import type { StoryAction } from '../../../store/radar/stories/story-actions.ts';
import type { StoryMember } from '../../../store/radar/stories/story-members.ts';
import type { Assignment } from '../clustering/story-item.ts';
import { type Move, noChanges, type StoryChanges } from './changes.ts';
import type { StoryIdMap } from './story-id-map.ts';

export type StoredState = {
  /** Members of every story that the log names or that contains one of its items. */
  readonly members: readonly StoryMember[];
  /** Merged stories, to which nothing is assigned any more. */
  readonly merged: ReadonlySet<string>;
  /** Duplicates of the log's items, already in a story. */
  readonly copies: ReadonlyMap<string, readonly string[]>;
};

export type EngineLog = {
  readonly log: readonly Assignment[];
  /** Duplicates that have no story yet; each joins the story of `leaderId`. */
  readonly followers: readonly { readonly itemId: string; readonly leaderId: string }[];
  /** Times of items without a story, epoch milliseconds. */
  readonly times: ReadonlyMap<string, number>;
};

/** Generators of ids, the time, and the rules version for the conversion of one log. */
export type RoundContext = {
  readonly storyId: () => string;
  readonly actionId: () => string;
  readonly now: number;
  readonly rulesVersion: string;
};

export function reconcileLog(
  idMap: StoryIdMap,
  storedState: StoredState,
  engineLog: EngineLog,
  round: RoundContext,
): StoryChanges {
  const state = openPendingState(idMap, storedState, round);
  for (const assignment of engineLog.log) state.apply(assignment);
  for (const { itemId, leaderId } of engineLog.followers) {
    const storyId = state.storyOf(leaderId);
    if (storyId !== undefined) state.put(itemId, storyId, sameNews(round.rulesVersion));
  }
  const { founded, moves, merged } = state.pendingChanges(engineLog.times);
  const actions = new Map<string, StoryAction>();
  const movesWithActions = moves.map((move) => ({
    ...move,
    actionId: actionOf(move, merged, actions, round),
  }));
  const { times } = engineLog;
  return {
    ...noChanges,
    founded,
    moves: movesWithActions,
    times,
    merged,
    actions: [...actions.values()],
  };
}

type MoveReason = Pick<Move, 'reason' | 'score' | 'features' | 'rulesVersion'>;

const sameNews = (rulesVersion: string): MoveReason => {
  return { reason: 'same-news', score: 1, features: {}, rulesVersion };
};

function openPendingState(idMap: StoryIdMap, state: StoredState, round: RoundContext) {
  const before = new Map(state.members.map((member) => [member.item_id, member]));
  const currentStories = new Map(state.members.map((member) => [member.item_id, member.story_id]));
  const members = new Map<string, Set<string>>();
  for (const { item_id, story_id } of state.members) membersOf(members, story_id).add(item_id);
  const foundedStories = new Map<string, { isClosed: boolean }>();
  /** Emptied stories, each with the item that left last. */
  const emptied = new Map<string, string>();
  const moves: Move[] = [];

  const putItem = (itemId: string, storyId: string, moveReason: MoveReason): void => {
    const from = currentStories.get(itemId) ?? null;
    if (from === storyId) return;
    moves.push({ ...moveReason, itemId, storyId, fromStoryId: from, actionId: null });
    currentStories.set(itemId, storyId);
    membersOf(members, storyId).add(itemId);
    if (from === null) return;
    const remaining = membersOf(members, from);
    remaining.delete(itemId);
    if (remaining.size === 0) emptied.set(from, itemId);
  };
  const storyFor = (assignment: Assignment): string => {
    const publicId = idMap.publicOf(assignment.storyId);
    if (publicId !== null && !state.merged.has(publicId) && !emptied.has(publicId)) return publicId;
    const id = round.storyId();
    idMap.set(assignment.storyId, id);
    const isSingleItem = assignment.reason === 'pinned' || assignment.reason === 'no-text';
    foundedStories.set(id, { isClosed: isSingleItem || assignment.reason === 'roundup' });
    return id;
  };
  return {
    put: putItem,
    storyOf: (itemId: string) => currentStories.get(itemId),
    apply(assignment: Assignment): void {
      const storyId = storyFor(assignment);
      const { itemId, reason, score, features, rulesVersion } = assignment;
      const moveReason = { reason, score, features, rulesVersion };
      for (const id of [itemId, ...(state.copies.get(itemId) ?? [])])
        putItem(id, storyId, moveReason);
      for (const id of emptied.keys()) idMap.drop(id);
    },
    pendingChanges(times: ReadonlyMap<string, number>) {
      const isTemporary = (id: string) => foundedStories.has(id) && emptied.has(id);
      const timeOf = (itemId: string) =>
        requirePresent(before.get(itemId)?.at ?? times.get(itemId), `time of ${itemId}`);
      const founded = [...foundedStories].flatMap(([id, { isClosed }]) => {
        if (isTemporary(id)) return [];
        const foundedAt = Math.min(...[...membersOf(members, id)].map(timeOf));
        return [{ id, foundedAt, isClosed }];
      });
      const merged = [...emptied].flatMap(([id, last]) =>
        isTemporary(id)
          ? []
          : [{ id, into: requirePresent(currentStories.get(last), `story of ${last}`) }],
      );
      const keptMoves = skipTemporaryStories(
        moves,
        isTemporary,
        (itemId) => before.get(itemId)?.story_id ?? null,
      );
      return { founded, moves: keptMoves, merged };
    },
  };
}

function membersOf(members: Map<string, Set<string>>, storyId: string): Set<string> {
  const ofStory = members.get(storyId) ?? new Set();
  members.set(storyId, ofStory);
  return ofStory;
}

/** The moves of each item, without those into temporary stories. */
function skipTemporaryStories(
  moves: readonly Move[],
  isTemporary: (storyId: string) => boolean,
  before: (itemId: string) => string | null,
): readonly Move[] {
  const lastStory = new Map<string, string | null>();
  return moves.flatMap((move) => {
    if (isTemporary(move.storyId)) return [];
    const { itemId, storyId } = move;
    const fromStoryId = lastStory.has(itemId) ? (lastStory.get(itemId) ?? null) : before(itemId);
    if (fromStoryId === storyId) return [];
    lastStory.set(itemId, storyId);
    return [{ ...move, fromStoryId }];
  });
}

/** Adds the action of a merge or a split, which can be undone, and returns its id. */
function actionOf(
  move: Move,
  merged: StoryChanges['merged'],
  actions: Map<string, StoryAction>,
  { actionId, now }: RoundContext,
): string | null {
  const { fromStoryId: from, storyId: to, reason } = move;
  if (from === null) return null;
  const isMerged = merged.some(({ id, into }) => id === from && into === to);
  if (!isMerged && reason !== 'split') return null;
  const action = isMerged ? 'merge' : 'split';
  const key = `${action} ${from} ${to}`;
  const id = actions.get(key)?.id ?? actionId();
  const detail = { stories: [from, to], gone: isMerged ? [from] : [] };
  actions.set(key, { id, action, at: now, actor: 'engine', note: null, detail, undoes_id: null });
  return id;
}
