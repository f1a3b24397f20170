// The likelihood that an item belongs to a story: the average link to its reports. The similarity
// of a pair is compared with the noise of both items, which is their similarity to reports of other
// events. The same words therefore count less in a stream about one topic.

import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { Story, StoryIndex } from '../clustering/story-index.ts';
import type { TermIndex } from '../index/term-index.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { openAverageLink } from './average-link.ts';
import { type CandidateFilter, findCandidates } from './find-candidates.ts';
import { openPairCache } from './pair-cache.ts';
import { openRepeatingSources } from './repeating-sources.ts';
import { openSimilarity } from './similarity.ts';

export type StoryMatch = {
  readonly story: Story;
  /** Log-odds that the item belongs to the story. */
  readonly odds: number;
  readonly features: Readonly<Record<string, number>>;
};

export type MatchScorer = ReturnType<typeof openMatchScorer>;

/** The noise of an item is its mean similarity to its neighbours of these ranks. */
const noiseFrom = 10;
const noiseTo = 40;
/** The average link is computed only for this number of stories with the most similar reports. */
const maxStories = 16;

export function openMatchScorer(
  { settings }: Pick<StoryRules, 'settings'>,
  index: TermIndex,
  stories: StoryIndex,
) {
  const { facts, weights } = index;
  const cachedSimilarity = openPairCache(openSimilarity(index, settings.halfAfterDays));
  const repeatingSources = openRepeatingSources(index);
  const similarity = (a: number, b: number) => cachedSimilarity(a, b, weights.epoch);
  const oddsOf = (a: number, b: number, pairSimilarity: number) => {
    const noise = (facts.noise(a) + facts.noise(b)) / 2;
    const factor = repeatingSources.areOfOneRepeatingSource(a, b) ? settings.sameSource : 1;
    const excess = factor * pairSimilarity - settings.noiseShare * noise - settings.sameFrom;
    return settings.oddsPerUnit * excess;
  };
  const pairOdds = (a: number, b: number) => oddsOf(a, b, similarity(a, b));
  const link = openAverageLink(settings, pairOdds);
  const isLive = (story: Story | undefined, atMs: number | null) =>
    story?.isClosed === false &&
    (atMs === null ||
      Number.isNaN(story.newestMs) ||
      Math.abs(atMs - story.newestMs) <= settings.liveDays * DAY_MS);

  const quick = { terms: 96, visits: 10_000, candidates: settings.candidates };
  const thorough = { terms: 160, visits: 20_000, candidates: 2 * settings.candidates };

  const neighbours = (slot: number, filter: CandidateFilter, isThorough: boolean) => {
    const candidates = findCandidates(index, slot, isThorough ? thorough : quick, filter);
    repeatingSources.measure(slot, candidates);
    const similarities = candidates.map((other) => ({
      slot: other,
      similarity: similarity(slot, other),
    }));
    const sorted = Float64Array.from(similarities, (each) => each.similarity)
      .sort()
      .reverse();
    const noise = sorted.slice(noiseFrom, noiseTo).reduce((sum, value) => sum + value, 0);
    facts.setNoise(slot, noise / (noiseTo - noiseFrom));
    return similarities;
  };
  return {
    link,
    /** Log-odds of a pair from its known similarity. */
    oddsOf,
    /**
     * The items most similar to this one; measures its noise. A thorough search takes twice the
     * time and finds most of the items that determine the noise of a long text.
     */
    neighbours,
    /** Stories that the item may join, likeliest first. `extraSlots` are compared too. */
    matches(slot: number, extraSlots: readonly number[] = []): readonly StoryMatch[] {
      const atMs = facts.timeMs(slot);
      const canJoin = (other: number) => isLive(stories.storyOf(other), atMs);
      const oddsByStory = new Map<Story, number>();
      const allowedSlots = extraSlots.filter(canJoin);
      const nearItems = neighbours(slot, { first: 0, isAllowed: canJoin }, false);
      for (const other of [...nearItems.map((each) => each.slot), ...allowedSlots]) {
        const story = stories.storyOf(other);
        if (story === undefined) continue;
        const odds = pairOdds(slot, other);
        oddsByStory.set(story, Math.max(odds, oddsByStory.get(story) ?? Number.NEGATIVE_INFINITY));
      }
      const likeliest = [...oddsByStory].sort((a, b) => b[1] - a[1]).slice(0, maxStories);
      const matches = likeliest.map(([story, nearest]): StoryMatch => {
        const members = story.members.filter((member) => member !== slot);
        const odds = link([slot], members);
        return { story, odds, features: { mean: odds, nearest, reports: members.length } };
      });
      return matches.sort((a, b) => b.odds - a.odds || (a.story.id < b.story.id ? -1 : 1));
    },
  };
}
