// How likely two stories are one: the mean over pairs of their reports (average link). No single
// pair decides.
import type { Memory } from '../memory/memory.ts';
import { spread } from '../spread.ts';
import { bound, bounded } from './story-features.ts';

export type LinkSettings = {
  /** Of each story, so many reports are asked at most. */
  readonly linkMembers: number;
  /** Where both have texts, log-odds that every doubling of the smaller story asks for more. */
  readonly mergeStep: number;
};

export function openLink(
  memory: Memory,
  { linkMembers, mergeStep }: LinkSettings,
  pairOdds: (a: number, b: number) => number,
) {
  // Where texts say much, two stories of many reports each are seldom one that nobody saw.
  const barFor = (a: readonly number[], b: readonly number[], from: number): number => {
    const isTold = (slots: readonly number[]) => memory.hasText(slots[0] ?? 0);
    if (!isTold(a) || !isTold(b)) return from;
    return from + mergeStep * Math.log2(Math.min(a.length, b.length));
  };
  return (a: readonly number[], b: readonly number[], from: number): number => {
    const left = spread(a, linkMembers);
    const right = spread(b, linkMembers);
    const pairs = left.length * right.length;
    const bar = barFor(a, b, from);
    let sum = 0;
    let most = pairs * bound;
    for (const one of left) {
      for (const other of right) {
        const odds = bounded(pairOdds(one, other));
        sum += odds;
        most += odds - bound;
      }
      if (most < bar * pairs) return Number.NEGATIVE_INFINITY;
    }
    const mean = sum / Math.max(1, pairs);
    return mean < bar ? Number.NEGATIVE_INFINITY : mean;
  };
}
