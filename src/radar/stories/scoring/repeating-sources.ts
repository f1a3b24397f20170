// Finds sources that repeat their subject, such as the account of a product: their reports are
// alike although they are about different events. Reports of an aggregator or a wire are alike only
// when they are about one event.
import type { TermIndex } from '../index/term-index.ts';

/** The likeliest candidates of an item, up to this number, are near; the others are far. */
const nearest = 40;
/**
 * Minimum ratio of a repeating source's share of near candidates to its share of far candidates.
 */
const fromRatio = 2;

export function openRepeatingSources({ facts }: TermIndex) {
  const { source } = facts;
  type Counts = { near: number; allNear: number; far: number; allFar: number };
  const countsOf = new Map<number, Counts>();
  return {
    /** Counts the reports of the item's own source among its candidates, likeliest first. */
    measure(slot: number, candidates: readonly number[]): void {
      const own = source(slot);
      if (own === 0) return;
      const counts = countsOf.get(own) ?? { near: 0, allNear: 0, far: 0, allFar: 0 };
      countsOf.set(own, counts);
      for (const [rank, other] of candidates.entries()) {
        const isOwn = source(other) === own ? 1 : 0;
        if (rank < nearest) {
          counts.near += isOwn;
          counts.allNear += 1;
        } else {
          counts.far += isOwn;
          counts.allFar += 1;
        }
      }
    },
    areOfOneRepeatingSource(a: number, b: number): boolean {
      const own = source(a);
      if (own === 0 || own !== source(b)) return false;
      const counts = countsOf.get(own);
      if (counts === undefined) return true;
      const { near, allNear, far, allFar } = counts;
      // One report is added, so that a source with few reports counts as repeating.
      return (near + 1) * allFar >= fromRatio * far * allNear;
    },
  };
}
