// The merge pass merges the likeliest pair first and computes new links for the survivor. It merges
// no pair below the threshold.
import { expect, test } from 'vitest';
import { mergePass } from './merge-pass.ts';

type NumberStory = { readonly id: string; readonly values: number[] };

/**
 * Stories are lists of numbers. Two stories with similar means are more likely to be one event.
 */
function mergedPairs(lists: Readonly<Record<string, number[]>>, from: number) {
  const stories: NumberStory[] = Object.entries(lists).map(([id, values]) => ({
    id,
    values: [...values],
  }));
  const mean = ({ values }: NumberStory) => values.reduce((a, b) => a + b, 0) / values.length;
  const merged: string[] = [];
  mergePass(stories, {
    neighbours: () => stories,
    link(a, b) {
      const odds = -Math.abs(mean(a) - mean(b));
      return odds < from ? Number.NEGATIVE_INFINITY : odds;
    },
    merge(a, b) {
      const [survivor, absorbed] = a.id < b.id ? [a, b] : [b, a];
      survivor.values.push(...absorbed.values.splice(0));
      merged.push(`${absorbed.id}>${survivor.id}`);
      return survivor;
    },
    hasReports: ({ values }) => values.length > 0,
  });
  return { merged, left: stories.filter(({ values }) => values.length > 0) };
}

test('merges the most similar pair first, and nothing below the threshold', () => {
  const { merged, left } = mergedPairs({ a: [0], b: [3], c: [4], d: [20] }, -2);
  expect(merged).toEqual(['c>b']);
  expect(left.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
});

test('scores a merged story again, so a chain of similar pairs does not merge', () => {
  const { left } = mergedPairs({ a: [0], b: [2], c: [4.1], d: [6.3], e: [8.6] }, -2.1);
  expect(left.map(({ values }) => values)).toEqual([[0, 2], [4.1], [6.3], [8.6]]);
});

test('equal pairs merge in the order of their ids', () => {
  expect(mergedPairs({ a: [0], b: [1], c: [2] }, -1).merged).toEqual(['b>a']);
});
