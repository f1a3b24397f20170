// How likely an item belongs to a story, and two stories to one event: pairs weighed by what was
// learned, then the story as a whole.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { spread } from '../clustering/sample-evenly.ts';
import type { Board, Story } from '../clustering/story-index.ts';
import type { Memory } from '../index/term-index.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { type Link, openLink } from './average-link.ts';
import { openTrees } from './boosted-trees.ts';
import { findCandidates } from './find-candidates.ts';
import { logOdds, weightList } from './logistic.ts';
import { openPairCache } from './pair-cache.ts';
import { type PairFeature, pairFeatureNames, pairFeatures } from './pair-features.ts';
import { storyFeatureNames, storyFeatures } from './story-features.ts';

export type Considered = {
  readonly story: Story;
  /** Log-odds that the item belongs to it. */
  readonly odds: number;
  readonly features: Float64Array;
};

export type Consideration = {
  /** Stories the item could belong to, the likeliest first. */
  readonly near: readonly Considered[];
  /** Items that may tell the same: what they share is not counted twice. */
  readonly alike: readonly number[];
};

export type Judge = Link & {
  pairOdds(a: number, b: number): number;
  /** `also`: slots that lie near in another way, whatever words they share. */
  consider(slot: number, also?: readonly number[]): Consideration;
  /** Log-odds that the item belongs to a story, which may be its own. */
  oddsIn(slot: number, story: Story): number;
};

const mostAlike = 8;
/** Likeness to a few items of a large story never outweighs being unlike the rest. */
const strangerOdds = -4;
const mostShort = 3;
const at = (name: PairFeature) => pairFeatureNames.indexOf(name);
const [contained, bothText, untimed] = [at('titleContained'), at('bothText'), at('untimed')];
const meanOf = (features: Float64Array) => features[storyFeatureNames.indexOf('mean')] ?? 0;

export function openJudge(rules: StoryRules, memory: Memory, board: Board): Judge {
  const { settings } = rules;
  const weighPair = openPairModels(rules.weights);
  const storyWeights = weightList(storyFeatureNames, rules.weights.story);
  const scratch = new Float64Array(pairFeatureNames.length);

  // Two titles of three words say the same only if all of the shorter one is in the other.
  const isTooShort = (a: number, b: number) =>
    scratch[bothText] === 0 &&
    (scratch[contained] ?? 0) < 0.99 &&
    memory.script(a) === memory.script(b) &&
    memory.terms(a, 'title').length <= mostShort &&
    memory.terms(b, 'title').length <= mostShort;
  const isHan = (slot: number) => memory.script(slot) === 'han';
  const cache = openPairCache((a, b) => {
    pairFeatures(memory, a, b, settings.decayDays, scratch);
    const odds = weighPair(scratch, isHan(a) && isHan(b));
    return isTooShort(a, b) ? Math.min(odds, strangerOdds) : odds;
  });
  const pairOdds = (a: number, b: number) => cache.odds(a, b, memory.sums.epoch);
  const isLive = (story: Story | undefined, atMs: number | null) =>
    story?.isClosed === false &&
    (atMs === null ||
      Number.isNaN(story.newestMs) ||
      Math.abs(atMs - story.newestMs) <= settings.liveDays * DAY_MS);

  /** The item against one story: pairs already known, and others until the sample is full. */
  const scoreStory = (slot: number, story: Story, known: Map<number, number>): Considered => {
    const members = story.members.filter((member) => member !== slot);
    // The mean is over a spread of all members: over the candidates, the likest of them, a story
    // of hundreds that share a word or two would look like one event.
    const sample = spread(members, settings.sampleMembers).map(
      (member) => known.get(member) ?? pairOdds(slot, member),
    );
    const features = storyFeatures([...known.values()], sample, Math.max(1, members.length));
    const odds = logOdds(storyWeights, features);
    const isStranger = members.length >= 5 && meanOf(features) < settings.meanFrom;
    return { story, odds: isStranger ? Math.min(odds, strangerOdds) : odds, features };
  };

  return {
    pairOdds,
    consider(slot, also = []) {
      const atMs = memory.timeMs(slot);
      const canJoin = (other: number) => isLive(board.storyOf(other), atMs);
      const found = findCandidates(memory, slot, settings.candidates, canJoin);
      const candidates = also.length === 0 ? found : new Set([...found, ...also.filter(canJoin)]);
      const byStory = new Map<Story, Map<number, number>>();
      const alike: (readonly [number, number])[] = [];
      for (const other of candidates) {
        const story = board.storyOf(other);
        if (story === undefined) continue;
        const known = byStory.get(story) ?? new Map<number, number>();
        const odds = pairOdds(slot, other);
        byStory.set(story, known.set(other, odds));
        if (odds >= settings.companionFrom) alike.push([other, odds]);
      }
      alike.sort((a, b) => b[1] - a[1]);
      const near = [...byStory].map(([story, known]) => scoreStory(slot, story, known));
      near.sort((a, b) => b.odds - a.odds || (a.story.id < b.story.id ? -1 : 1));
      return { near, alike: alike.slice(0, mostAlike).map(([other]) => other) };
    },
    oddsIn: (slot, story) => {
      const others = story.members.filter((member) => member !== slot);
      const known = new Map(others.map((member) => [member, pairOdds(slot, member)]));
      return scoreStory(slot, story, known).odds;
    },
    ...openLink(memory, settings, pairOdds),
  };
}

/** The log-odds of a pair by the weights of its kind. */
function openPairModels(weights: StoryRules['weights']) {
  const texts = openPairModel(weights.texts);
  const undated = openPairModel(weights.undated);
  const undatedHan = openPairModel(weights.undatedHan);
  const headlines = openPairModel(weights.headlines);
  return (features: Float64Array, areHan: boolean): number => {
    if (features[bothText] !== 1) return headlines(features);
    if (features[untimed] !== 1) return texts(features);
    return areHan ? undatedHan(features) : undated(features);
  };
}

function openPairModel({ pair, trees }: StoryRules['weights']['texts']) {
  const weights = weightList(pairFeatureNames, pair);
  const added = openTrees(pairFeatureNames, trees);
  return (features: Float64Array) => logOdds(weights, features) + added(features);
}
