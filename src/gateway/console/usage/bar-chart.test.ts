import { expect, test } from 'vitest';
import { findAxisTop } from './bar-chart.ts';

test('an axis ends at the height of the highest bar, rounded up to a round number', () => {
  const axisTops = [0, 0.098, 0.1, 0.11, 3.2, 7, 12_345].map((highest) =>
    findAxisTop(highest, false),
  );
  expect(axisTops).toEqual([1, 0.1, 0.1, 0.12, 4, 8, 16_000]);
});

test('an axis of integers has an integer middle', () => {
  expect([0, 1, 2, 3, 5, 9, 11, 25, 150].map((highest) => findAxisTop(highest, true))).toEqual([
    2, 2, 2, 4, 6, 10, 12, 30, 160,
  ]);
});
