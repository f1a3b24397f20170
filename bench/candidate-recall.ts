// Measures how many pairs of one event the candidate search finds. The similarity of a missed pair
// is never computed. Pairs in two languages are counted separately, because they share only names.
import { indexItem, openEngineState } from '../src/radar/stories/clustering/engine-state.ts';
import type { StoryItem } from '../src/radar/stories/clustering/story-item.ts';
import type { StoryRules } from '../src/radar/stories/rules/open-rules.ts';

/** Shares of pairs in which one report is a candidate of the other; null: no such pairs. */
export type CandidateRecall = {
  readonly allPairs: number | null;
  readonly acrossLanguages: number | null;
};

export function candidateRecall(
  rules: StoryRules,
  items: readonly (StoryItem & { readonly cluster: string })[],
): CandidateRecall {
  const state = openEngineState(rules, []);
  const { index, stories, scorer } = state;
  for (const item of items) {
    const { slot, isClosed, isUncounted } = indexItem(state, item);
    stories.createStory(slot, isClosed, item.id);
    if (!isUncounted) index.publish(slot);
  }
  const isAllowed = (slot: number) => stories.storyOf(slot)?.isClosed === false;
  const candidates = items.map((_, slot) => {
    const neighbours = scorer.neighbours(slot, { first: 0, isAllowed }, true);
    return new Set(neighbours.map((neighbour) => neighbour.slot));
  });
  const pairs = { all: 0, across: 0, found: 0, foundAcross: 0 };
  for (const slots of Map.groupBy(items.keys(), (slot) => items[slot]?.cluster).values()) {
    for (const [position, slot] of slots.entries()) {
      for (const earlier of slots.slice(0, position)) {
        const isFound =
          candidates[slot]?.has(earlier) === true || candidates[earlier]?.has(slot) === true;
        const isAcross = index.facts.language(slot) !== index.facts.language(earlier);
        pairs.all += 1;
        if (isFound) pairs.found += 1;
        if (isAcross) pairs.across += 1;
        if (isAcross && isFound) pairs.foundAcross += 1;
      }
    }
  }
  return {
    allPairs: pairs.all === 0 ? null : pairs.found / pairs.all,
    acrossLanguages: pairs.across === 0 ? null : pairs.foundAcross / pairs.across,
  };
}
