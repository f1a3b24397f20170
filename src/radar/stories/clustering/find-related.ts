// Finds the stories that are related to one story. These have the same storyline (other events with
// the same names), or are only similar.

import type { EngineState } from './engine-state.ts';
import { sampleEvenly } from './sample-evenly.ts';
import type { Story } from './story-index.ts';

export type RelatedStory = {
  readonly storyId: string;
  /** Log-odds of being the same story; below the join threshold. */
  readonly odds: number;
  /** Titles of both stories share a name or a product. */
  readonly isSameStoryline: boolean;
};

/** The number of compared reports of a story. */
const sampledReports = 2;
/** The number of nearest stories of each report. */
const nearestStories = 12;
/** A name in more than about one title in twenty does not identify a storyline. */
const minNameWeight = 3;

/** Nearest first; empty for a closed or unknown story. */
export function findRelated(state: EngineState, storyId: string): readonly RelatedStory[] {
  const { stories, scorer } = state;
  const story = stories.live.get(storyId);
  if (story === undefined || story.isClosed) return [];
  const oddsByStory = new Map<Story, number>();
  for (const slot of sampleEvenly(story.members, sampledReports)) {
    for (const { story: other, odds } of scorer.matches(slot).slice(0, nearestStories)) {
      if (other !== story) oddsByStory.set(other, Math.max(odds, oddsByStory.get(other) ?? odds));
    }
  }
  const names = namesOf(state, story);
  const related = [...oddsByStory].map(([other, odds]) => {
    return {
      storyId: other.id,
      odds,
      isSameStoryline: !names.isDisjointFrom(namesOf(state, other)),
    };
  });
  return related.sort((a, b) => b.odds - a.odds || (a.storyId < b.storyId ? -1 : 1));
}

/** Names and products in the titles of a story. */
function namesOf({ index }: EngineState, story: Story): ReadonlySet<number> {
  const names = new Set<number>();
  for (const slot of sampleEvenly(story.members, sampledReports)) {
    for (const section of ['entities', 'families'] as const) {
      for (const term of index.terms(slot, section)) {
        if (index.weights.of(term) >= minNameWeight) names.add(term);
      }
    }
  }
  return names;
}
