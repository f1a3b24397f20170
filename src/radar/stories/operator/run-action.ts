// Runs an operator's action on stories in one transaction. It locks the stories' head, so that no
// worker decides meanwhile. The action is refused when a story has changed since the operator saw
// it. It is logged so that it can be undone once, and pinned so that no engine reverts it.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import {
  readStoriesById,
  readSurvivors,
  type StoredStory,
} from '../../../store/radar/stories/stories.ts';
import type { StoryAction } from '../../../store/radar/stories/story-actions.ts';
import { lockStories } from '../../../store/radar/stories/story-head.ts';
import type { StoryPin } from '../../../store/radar/stories/story-pins.ts';
import { type Move, noChanges, type StoryChanges } from '../sync/changes.ts';
import { writeChanges } from '../sync/write-changes.ts';

export type Operator = { readonly actor: string; readonly note: string | null };

/** `version`: the version that the operator saw; null: any version. */
export type StoryRef = { readonly id: string; readonly version: number | null };

export type ActionRefusal =
  | {
      readonly kind: 'unknown';
      readonly what: 'story' | 'item' | 'pin' | 'action';
      readonly id: string;
    }
  /** The story has changed since the operator saw it. */
  | { readonly kind: 'conflict'; readonly storyId: string; readonly version: number }
  | { readonly kind: 'merged'; readonly storyId: string; readonly into: string }
  /** The action is impossible; the entry point formats the reason. */
  | { readonly kind: 'refused'; readonly because: Refusal; readonly why: string };

export type Refusal =
  | 'same_news'
  | 'not_a_member'
  | 'none_chosen'
  | 'nothing_left'
  | 'is_an_undo'
  | 'undone_already'
  | 'gone_elsewhere'
  | 'itself';

export type ActionResult =
  | ActionRefusal
  | {
      readonly kind: 'done';
      /** The id with which the action can be undone. */
      readonly actionId: string;
      /** The affected stories by their current ids. */
      readonly storyIds: readonly string[];
      /**
       * The publication's sequence number, for callers that wait until every node has published it.
       */
      readonly seq: number;
    };

export type Decision =
  | ActionRefusal
  | {
      readonly kind: 'changes';
      readonly detail: ActionDetail;
      readonly changes: Partial<StoryChanges>;
      /** The affected stories by their current ids; absent: the stories of `detail`. */
      readonly storyIds?: readonly string[];
    };

type ActionRequest = Operator & {
  readonly action: StoryAction['action'];
  /** The action that this one undoes; absent: none. */
  readonly undoesId?: string;
};

export async function actOnStories(
  world: World,
  db: Db,
  { action, actor, note, undoesId }: ActionRequest,
  decide: (tx: Db, actionId: string) => Promise<Decision>,
): Promise<ActionResult> {
  return inTransaction(db, async (tx) => {
    const head = await lockStories(tx);
    const id = world.ids.next();
    const decision = await decide(tx, id);
    if (decision.kind !== 'changes') return decision;
    const { detail, storyIds = detail.stories } = decision;
    const at = world.clock.now();
    const actions = [{ id, action, at, actor, note, detail, undoes_id: undoesId ?? null }];
    const changes = { ...noChanges, ...decision.changes, actions };
    const result = await writeChanges(world, tx, head, { changes, doneIds: [] });
    return { kind: 'done', actionId: id, storyIds, seq: result.publicationSeq };
  });
}

/** The current stories in the given order, or the reason why they cannot be changed. */
export async function findStories(
  tx: Db,
  refs: readonly StoryRef[],
): Promise<ActionRefusal | { readonly kind: 'found'; readonly stories: readonly StoredStory[] }> {
  const ids = refs.map(({ id }) => id);
  const [activeStories, survivors] = [await readStoriesById(tx, ids), await readSurvivors(tx, ids)];
  const stories: StoredStory[] = [];
  for (const { id, version } of refs) {
    const story = activeStories.get(id);
    if (story === undefined) return { kind: 'unknown', what: 'story', id };
    const into = survivors.get(id) ?? id;
    if (into !== id) return { kind: 'merged', storyId: id, into };
    if (version !== null && version !== story.version) {
      return { kind: 'conflict', storyId: id, version: story.version };
    }
    stories.push(story);
  }
  return { kind: 'found', stories };
}

/** Data for an undo of the action; it is stored with the action. */
export type ActionDetail = {
  /** Ids of the affected stories. */
  readonly stories: readonly string[];
  /** Stories that the action left empty. */
  readonly gone?: readonly string[];
  /** Pins that the action removed, including the pins that contradicted the action. */
  readonly removedPins?: readonly StoryPin[];
  /** Previous state of the stories that the action closed or opened. */
  readonly closedBefore?: readonly { readonly id: string; readonly isClosed: boolean }[];
  readonly pin?: Pick<StoryPin, 'kind' | 'item_id' | 'other_item_id'>;
};

export const idsOf = (members: readonly { readonly item_id: string }[]): readonly string[] =>
  members.map(({ item_id }) => item_id);

export const movesTo = (
  storyId: string,
  members: readonly { readonly item_id: string; readonly story_id: string }[],
  { reason, actionId }: { readonly reason: Move['reason']; readonly actionId: string },
): readonly Move[] =>
  members.map(({ item_id, story_id }) => ({
    itemId: item_id,
    storyId,
    fromStoryId: story_id,
    reason,
    score: 1,
    features: {},
    rulesVersion: 'operator',
    actionId,
  }));
