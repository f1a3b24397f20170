// What is measured between one item and a story: its best pair, its best three, and the story as a
// whole (the mean over a spread of its members, in the place of a centroid). A single near pair is
// not enough: chains of single links measured .1 worse.

export const storyFeatureNames = ['bias', 'top', 'bestThree', 'mean', 'size', 'sizeMean'] as const;

/** Log-odds of the item: `best` with the likest members known, `sample` with a spread of all. */
export function storyFeatures(
  best: readonly number[],
  sample: readonly number[],
  size: number,
): Float64Array {
  const sorted = [...best, ...sample].map(bounded).sort((a, b) => b - a);
  const known = best.map(bounded).sort((a, b) => b - a);
  const top = sorted[0] ?? 0;
  const three = mean((known.length >= 3 ? known : sorted).slice(0, Math.min(3, size)));
  const all = mean(sample.map(bounded));
  const log = Math.log2(size);
  return Float64Array.of(1, top, three, all, log, log * all * 0.1);
}

/** Log-odds past it, either way, say no more. */
const bound = 8;
const bounded = (odds: number) => Math.max(-bound, Math.min(bound, odds));
const mean = (values: readonly number[]) =>
  values.length === 0 ? -8 : values.reduce((a, b) => a + b, 0) / values.length;
