// What is measured between one item and a story: its best pair, its best three, and the story as a
// whole (the mean over a spread of its members, in the place of a centroid). A single near pair is
// not enough: chains of single links measured .1 worse.

export const storyFeatureNames = ['bias', 'top', 'bestThree', 'mean', 'size', 'sizeMean'] as const;
export type StoryFeature = (typeof storyFeatureNames)[number];

/** `odds`: log-odds of the item with members of the story, any order, at least one. */
export function storyFeatures(odds: readonly number[], size: number): Float64Array {
  const sorted = odds.map(bounded).sort((a, b) => b - a);
  const top = sorted[0] ?? 0;
  const three = mean(sorted.slice(0, 3));
  const all = mean(sorted);
  const log = Math.log2(size);
  return Float64Array.of(1, top, three, all, log, log * all * 0.1);
}

/** Log-odds past ±8 say no more. */
export const bounded = (odds: number) => Math.max(-8, Math.min(8, odds));
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
