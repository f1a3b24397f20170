// The changes that a decision makes to stories: founded stories, moved items, emptied stories, and
// the reasons. Decisions of the engine and actions of operators both have this form.
import type { StoryAction } from '../../../store/radar/stories/story-actions.ts';
import type { StoredStoryLink } from '../../../store/radar/stories/story-links.ts';
import type { StoryPin } from '../../../store/radar/stories/story-pins.ts';
import type { Reason } from '../clustering/story-item.ts';

export type Move = {
  readonly itemId: string;
  readonly storyId: string;
  /** Null: the item's first story. */
  readonly fromStoryId: string | null;
  /** `same-news`: the item follows the first item of its duplicate group. */
  readonly reason: Reason | 'same-news' | 'undone';
  /** 0..1. */
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
  readonly rulesVersion: string;
  readonly actionId: string | null;
};

export type PinChange = {
  readonly added: readonly StoryPin[];
  readonly removed: readonly StoryPin[];
};

export type StoryChanges = {
  readonly founded: readonly {
    readonly id: string;
    /** The earliest time of its items, epoch milliseconds. */
    readonly foundedAt: number;
    readonly isClosed: boolean;
  }[];
  /** In the order in which they happened. */
  readonly moves: readonly Move[];
  /** Times of the items that these changes assign to a first story, epoch milliseconds. */
  readonly times: ReadonlyMap<string, number>;
  /** Emptied stories, and the stories into which they were merged. */
  readonly merged: readonly { readonly id: string; readonly into: string }[];
  /** Stories whose merge was undone. */
  readonly revived: readonly string[];
  readonly closed: readonly { readonly id: string; readonly isClosed: boolean }[];
  readonly actions: readonly StoryAction[];
  readonly pins: PinChange;
  /** Maps an item to the first item of its development. Absent items keep their development. */
  readonly developments: ReadonlyMap<string, string>;
  /** The links of these stories are replaced by `links`. */
  readonly linked: readonly string[];
  readonly links: readonly StoredStoryLink[];
};

export const noChanges: StoryChanges = {
  founded: [],
  moves: [],
  times: new Map(),
  merged: [],
  revived: [],
  closed: [],
  actions: [],
  pins: { added: [], removed: [] },
  developments: new Map(),
  linked: [],
  links: [],
};
