// Which earlier items could tell the same event: those that share telling terms, found through the
// inverted index. Common terms are not followed, so the cost does not grow with the stream.
import { indexedTerms, type Memory } from '../memory/memory.ts';
import type { Section } from '../memory/shelf.ts';

/** Terms told by more than one title in so many are not followed, unless nothing else is there. */
const leastWeight = 2.2;
const mostTerms = 48;
const mostPerTerm = 600;

/** Slots of at most `most` items, the likeliest first; `isLive` filters. */
export function findCandidates(
  memory: Memory,
  slot: number,
  most: number,
  isLive: (slot: number) => boolean,
): readonly number[] {
  const list = (at: number, section: Section) => memory.terms(at, section);
  const weighed = [...indexedTerms(list, slot)].map((term) => ({
    term,
    weight: memory.titleWeight(term),
  }));
  weighed.sort((a, b) => b.weight - a.weight || a.term - b.term);
  const followed = weighed.filter(({ weight }, at) => at < 6 || weight >= leastWeight);
  const sums = new Map<number, number>();
  for (const { term, weight } of followed.slice(0, mostTerms)) {
    memory.postings.visit(term, mostPerTerm, (other) => {
      if (other !== slot) sums.set(other, (sums.get(other) ?? 0) + weight * weight);
      return true;
    });
  }
  const ranked = [...sums].filter(([other]) => isLive(other));
  ranked.sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return ranked.slice(0, most).map(([other]) => other);
}
