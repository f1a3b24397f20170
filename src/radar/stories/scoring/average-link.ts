// How likely two stories are one: the mean over pairs of their reports (average link). No single
// pair decides, and none says more than a bound: a few copies of one headline on both sides would
// outvote all others. A large event is told in headlines that share little; a story that is loose
// in itself asks no more of another, told in the same hours, than it could ask of its own.
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { spread } from '../clustering/sample-evenly.ts';
import type { Memory } from '../index/term-index.ts';

export type LinkSettings = {
  /** Of each story, so many reports are asked at most. */
  readonly linkMembers: number;
  /** Log-odds past it, either way, count as it. */
  readonly linkBound: number;
  /** Where both have texts, log-odds that every doubling of the smaller story asks for more. */
  readonly mergeStep: number;
  /** Stories of headlines may be loose from so many reports on. */
  readonly looseMembers: number;
  /** Between the middle reports of two such stories, at most. */
  readonly looseHours: number;
  /** Mean log-odds of a story's own pairs under which it is loose. */
  readonly looseUnder: number;
  /** Log-odds by which a loose story asks less, at most. */
  readonly looseMost: number;
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
  memory: Pick<Memory, 'hasText' | 'timeMs'>,
  settings: LinkSettings,
  pairOdds: (a: number, b: number) => number,
): Link {
  const { linkMembers, linkBound: bound } = settings;
  const isTold = (slots: readonly number[]) => memory.hasText(slots[0] ?? 0);
  const linkOdds = (a: number, b: number) => Math.max(-bound, Math.min(bound, pairOdds(a, b)));
  const leastLink: Link['leastLink'] = (a, b, from) => {
    const smaller = Math.min(a.length, b.length);
    // Where texts say much, two stories of many reports each are seldom one that nobody saw.
    if (isTold(a) && isTold(b)) return from + settings.mergeStep * Math.log2(smaller);
    if (smaller < settings.looseMembers || !isOfHours(a, b)) return from;
    const looser = Math.min(meanWithin(a), meanWithin(b));
    return from - Math.max(0, Math.min(settings.looseMost, settings.looseUnder - looser));
  };
  /** Whether both are told in the same hours; not known where a report has no time. */
  const isOfHours = (a: readonly number[], b: readonly number[]) =>
    Math.abs(middleMs(a) - middleMs(b)) <= settings.looseHours * HOUR_MS;
  const middleMs = (slots: readonly number[]): number => {
    const times = spread(slots, linkMembers).map((slot) => memory.timeMs(slot) ?? Number.NaN);
    if (times.some(Number.isNaN)) return Number.NaN;
    return times.sort((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
  };
  const meanWithin = (slots: readonly number[]): number => {
    const asked = spread(slots, linkMembers);
    const odds = asked.flatMap((one, at) =>
      asked.slice(at + 1).map((other) => linkOdds(one, other)),
    );
    return odds.reduce((sum, one) => sum + one, 0) / Math.max(1, odds.length);
  };
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
