import { expect, test } from 'vitest';
import { scoreAssigned } from './score-clustering.ts';

test('counts pairs and items separately', () => {
  const assignments = 'aabbc'
    .split('')
    .map((cluster, index) => ({ cluster, story: 'xxxyz'[index] ?? '' }));
  // Story x has events a, a and b: one of its three pairs is correct. One of two labelled pairs is
  // found.
  expect(scoreAssigned(assignments)).toEqual({
    stories: 3,
    precision: 1 / 3,
    recall: 1 / 2,
    f1: 0.4,
    accuracy: 0.7,
    bcubed: expect.closeTo((2 * (11 / 15) * 0.8) / (11 / 15 + 0.8), 10),
  });
  expect(scoreAssigned([{ story: 'x', cluster: 'a' }])).toMatchObject({ f1: 1, accuracy: 1 });
});
