import { expect, test } from 'vitest';
import { openTrees } from './boosted-trees.ts';

const tree = {
  on: ['near', 'like', 'like', 'near', 'near', 'near', 'near'],
  at: [0.5, 0.2, 0.8, 9, 9, 9, 9],
  adds: [1, 0, 2, 0, 3, 0, 4, 0],
};

test('three answers lead to one end, and trees add up', () => {
  const sum = openTrees(['like', 'near'], [tree, tree]);
  expect(sum(Float64Array.of(0.1, 0.1))).toBe(2);
  expect(sum(Float64Array.of(0.3, 0.1))).toBe(4);
  expect(sum(Float64Array.of(0.3, 0.9))).toBe(6);
  expect(sum(Float64Array.of(0.9, 0.9))).toBe(8);
});

test('a question about a feature that does not exist is an error that names it', () => {
  expect(() => openTrees(['like'], [tree])).toThrow(/near/u);
});
