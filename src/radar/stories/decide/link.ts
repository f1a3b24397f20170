// How likely two stories are one: the mean over pairs of their reports (average link). No single
// pair decides, and none says more than a bound: a few copies of one headline on both sides would
// outvote all others.
import type { Memory } from '../memory/memory.ts';
import { spread } from '../spread.ts';

export type LinkSettings = {
  /** Of each story, so many reports are asked at most. */
  readonly linkMembers: number;
  /** Log-odds past it, either way, count as it. */
  readonly linkBound: number;
  /** Where both have texts, log-odds that every doubling of the smaller story asks for more. */
  readonly mergeStep: number;
};

export type Link = {
  /** Log-odds of a pair as the mean has it. */
  linkOdds(a: number, b: number): number;
  /** What the mean must reach for stories of these reports; for single ones it is `from`. */
  leastLink(a: readonly number[], b: readonly number[], from: number): number;
  /** Mean over pairs spread across both lists of slots; −∞ when it is less than `leastLink`. */
  link(a: readonly number[], b: readonly number[], from: number): number;
};

export function openLink(
  memory: Memory,
  { linkMembers, linkBound: bound, mergeStep }: LinkSettings,
  pairOdds: (a: number, b: number) => number,
): Link {
  const isTold = (slots: readonly number[]) => memory.hasText(slots[0] ?? 0);
  const linkOdds = (a: number, b: number) => Math.max(-bound, Math.min(bound, pairOdds(a, b)));
  // Where texts say much, two stories of many reports each are seldom one that nobody saw.
  const leastLink: Link['leastLink'] = (a, b, from) =>
    isTold(a) && isTold(b) ? from + mergeStep * Math.log2(Math.min(a.length, b.length)) : from;
  return {
    linkOdds,
    leastLink,
    link(a, b, from) {
      const left = spread(a, linkMembers);
      const right = spread(b, linkMembers);
      const pairs = left.length * right.length;
      const bar = leastLink(a, b, from);
      let sum = 0;
      let most = pairs * bound;
      for (const one of left) {
        for (const other of right) {
          const odds = linkOdds(one, other);
          sum += odds;
          most += odds - bound;
        }
        if (most < bar * pairs) return Number.NEGATIVE_INFINITY;
      }
      const mean = sum / Math.max(1, pairs);
      return mean < bar ? Number.NEGATIVE_INFINITY : mean;
    },
  };
}
