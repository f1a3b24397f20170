// `read` returns a term's items, newest first, with a maximum number and a lowest slot.
import { expect, test } from 'vitest';
import { openPostings } from './postings.ts';

const filledPostings = () => {
  const postings = openPostings();
  for (let slot = 0; slot < 300; slot += 3) postings.add(7, slot);
  postings.add(8, 5);
  return (term: number, max: number, first?: number) => {
    const into = new Int32Array(400);
    return [...into.subarray(0, postings.read(term, max, into, first))];
  };
};

test('reads the newest items of a term, up to the limit', () => {
  expect(filledPostings()(7, 4)).toEqual([297, 294, 291, 288]);
  expect(filledPostings()(7, 400)).toHaveLength(100);
});

test('stops at the lowest requested slot, also for a term with one item', () => {
  expect(filledPostings()(7, 400, 289)).toEqual([297, 294, 291]);
  expect([filledPostings()(8, 400, 5), filledPostings()(8, 400, 6)]).toEqual([[5], []]);
});
