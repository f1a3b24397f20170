// The selection equals the first elements of the sorted list.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { openPostings } from './postings.ts';
import { openTopK } from './top-k.ts';

const seed = 20_261_122;

test('returns the slots with the greatest sums first; newer slots precede equal ones', () => {
  const random = seededRandom(seed);
  const ranking = openTopK();
  for (const size of [0, 1, 30, 300, 6_000]) {
    const entries = Array.from({ length: size }, (_, slot) => ({
      slot,
      sum: 1 + Math.floor(random.next() ** 4 * 400) / 7,
    }));
    ranking.begin(36);
    for (const { slot, sum } of entries) ranking.add(slot, sum);
    const sorted = entries.sort((a, b) => b.sum - a.sum || b.slot - a.slot);
    const greatest = sorted.slice(0, 36).map(({ slot }) => slot);
    expect(ranking.take(), `seed ${seed}, ${size}`).toEqual(greatest);
  }
});

test('a term returns its newest items first, for any number of items', () => {
  const random = seededRandom(seed);
  const postings = openPostings();
  const lists: number[][] = Array.from({ length: 40 }, () => []);
  for (let slot = 0; slot < 4_000; slot += 1) {
    const term = Math.floor(random.next() ** 3 * lists.length);
    postings.add(term, slot);
    lists[term]?.unshift(slot);
  }
  const into = new Int32Array(600);
  for (const [term, list] of lists.entries()) {
    for (const max of [1, 2, 7, 64, 600]) {
      const count = postings.read(term, max, into);
      expect([...into.subarray(0, count)], `seed ${seed}, ${term}`).toEqual(list.slice(0, max));
    }
  }
  postings.clear();
  expect(postings.read(0, 600, into)).toBe(0);
});
