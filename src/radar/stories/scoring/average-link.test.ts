import { expect, test } from 'vitest';
import { openAverageLink } from './average-link.ts';

const settings = { linkMembers: 8, pairMargin: 4 };
const slots = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index);

test('a link is the mean over all pairs, so no single pair decides', () => {
  const link = openAverageLink({ ...settings, pairMargin: 0 }, (a, b) =>
    a === 0 && b === 4 ? 9 : -3,
  );
  expect(link([0, 1], [4, 5])).toBe(0);
});

test('the margin is divided by the number of reports in the larger story', () => {
  const link = openAverageLink(settings, () => 5);
  expect(link([0], [1])).toBe(1);
  expect(link([0], slots(1, 4))).toBe(4);
  expect(link(slots(0, 8), slots(8, 2))).toBe(4.5);
});

test('compares a bounded number of reports of each story, evenly sampled', () => {
  const compared = new Set<number>();
  const link = openAverageLink({ linkMembers: 3, pairMargin: 0 }, (_, b) => {
    compared.add(b);
    return 1;
  });
  expect(link([99], slots(0, 21))).toBe(1);
  expect([...compared]).toEqual([0, 10, 20]);
});
