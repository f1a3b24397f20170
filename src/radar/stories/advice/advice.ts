// A model's advice about one item that has no story yet. The advice names other items by id. The
// engine finds the stories of these items only when it assigns the item, because these items may
// move before that. These values cross a thread boundary.

import { areSeparated, type EngineState } from '../clustering/engine-state.ts';
import { sampleEvenly } from '../clustering/sample-evenly.ts';
import type { Story } from '../clustering/story-index.ts';
import type { StoryMatch } from '../scoring/match-scorer.ts';

export type Advice = {
  /** An item that reports the same event; null: none was identified. */
  readonly join: string | null;
  /** Items that report another event. */
  readonly unrelatedItems: readonly string[];
  /** Log-odds from the similarity of the vectors, by neighbouring item. */
  readonly nearness: ReadonlyMap<string, number>;
};

export const noAdvice: Advice = { join: null, unrelatedItems: [], nearness: new Map() };

/**
 * The distance from the join threshold, in log-odds, within which the engine is uncertain. Outside
 * of it no advice is requested, and vectors shift no odds.
 */
const uncertainRange = { below: 2.2, above: 1.2 } as const;

export const isUncertain = (odds: number, joinFrom: number): boolean =>
  odds >= joinFrom - uncertainRange.below && odds <= joinFrom + uncertainRange.above;

/** `advised`: why advice changed the odds of the match; for the log. */
export type AdvisedMatch = StoryMatch & { readonly advised?: Readonly<Record<string, number>> };

/** The stories that an item may join, with the advice applied; most likely first. */
export function findAdvisedMatches(
  { stories, scorer, rules }: EngineState,
  slot: number,
  { join, unrelatedItems, nearness }: Advice,
): readonly AdvisedMatch[] {
  const { joinFrom } = rules.settings;
  const joined = join === null ? undefined : stories.storyOfItem(join);
  const unrelatedStories = new Set(unrelatedItems.map(stories.storyOfItem));
  const addedOdds = new Map<Story | undefined, number>();
  for (const [itemId, extraOdds] of nearness) {
    const story = stories.storyOfItem(itemId);
    addedOdds.set(story, Math.max(extraOdds, addedOdds.get(story) ?? Number.NEGATIVE_INFINITY));
  }
  // Items with similar vectors may share no word, so the search by words does not find them.
  const similarIds = join === null ? [...nearness.keys()] : [join, ...nearness.keys()];
  const similarSlots = similarIds.map(stories.slotOf).filter((other) => other !== undefined);
  const matches = scorer.matches(slot, similarSlots).map((match): AdvisedMatch => {
    const { story, odds } = match;
    if (story === joined) {
      return { ...match, odds: Math.max(odds, joinFrom + 0.5), advised: { model: 1 } };
    }
    if (unrelatedStories.has(story)) {
      return { ...match, odds: Math.min(odds, joinFrom - 0.5), advised: { model: -1 } };
    }
    // Vectors shift only an uncertain match; a certain match keeps its odds.
    const extraOdds = isUncertain(odds, joinFrom) ? (addedOdds.get(story) ?? 0) : 0;
    if (extraOdds === 0) return match;
    return { ...match, odds: odds + extraOdds, advised: { nearness: extraOdds } };
  });
  const rankOf = (match: StoryMatch) => (match.story === joined ? 0 : 1);
  return matches.sort((a, b) => rankOf(a) - rankOf(b) || b.odds - a.odds);
}

export type NearProposal = {
  readonly storyId: string;
  /** Log-odds, including the contribution of vectors. */
  readonly odds: number;
  /** Some items of the story, evenly sampled, with the first and the last. */
  readonly itemIds: readonly string[];
};

export type Proposal = {
  readonly itemId: string;
  /** Most likely first; empty for an item that always stands alone. */
  readonly near: readonly NearProposal[];
};

const maxProposed = 8;
const maxItems = 3;

/** The likeliest stories that no pin excludes, as ids. */
export function proposalOf(
  state: EngineState,
  slot: number,
  matches: readonly StoryMatch[],
): Proposal {
  const { stories } = state;
  const allowed = matches.filter(({ story }) => !areSeparated(state, [slot], story.members));
  return {
    itemId: stories.itemId(slot),
    near: allowed.slice(0, maxProposed).map(({ story, odds }) => {
      const itemIds = sampleEvenly(story.members, maxItems).map(stories.itemId);
      return { storyId: story.id, odds, itemIds };
    }),
  };
}
