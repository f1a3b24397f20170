// The split test: whether a story is really two. Its items are cut in two around the pair that is
// least alike. It is two stories when what lies across the cut is less than half as likely as what
// lies within, or is less than what would put two such stories together; and when each side has two
// items or more. So a merge that later reports speak against does not stand for ever, however large
// the story grew: most of a large one agrees with most of it.

import { probability } from '../scoring/logistic.ts';
import type { Judge } from '../scoring/match-scorer.ts';
import { spread } from './sample-evenly.ts';

/** `pairOdds` and the others are the judge's; `from` is the bar of two single reports. */
type SplitTest = Pick<Judge, 'pairOdds' | 'linkOdds' | 'leastLink'> & {
  readonly from: number;
};

const leastItems = 4;
/** Of larger stories so many are asked; the others go to the side they are more like. */
const mostAsked = 40;

/** The smaller side's slots, to be taken out; null when the story holds together. */
export function splitOff(members: readonly number[], test: SplitTest): readonly number[] | null {
  if (members.length < leastItems) return null;
  const likely = (a: number, b: number) => probability(test.pairOdds(a, b));
  if (members.length <= mostAsked) {
    const cut = cutInTwo(members, likely);
    if (cut !== null && cut.across < cut.within / 2) return cut.out;
  }
  const cut = cutInTwo(members, test.linkOdds);
  if (cut === null) return null;
  return cut.across < test.leastLink(cut.out, cut.kept, test.from) ? cut.out : null;
}

type Cut = {
  /** The smaller side. */
  readonly out: readonly number[];
  readonly kept: readonly number[];
  /** Mean likeness of pairs with an item on each side, and of those on one. */
  readonly across: number;
  readonly within: number;
};

/** Null when a side would have less than two. */
function cutInTwo(
  members: readonly number[],
  likeness: (a: number, b: number) => number,
): Cut | null {
  const asked = spread(members, mostAsked);
  const table = asked.map((a) => asked.map((b) => (a === b ? 0 : likeness(a, b))));
  const sides = sidesOf(table);
  const sideOfAsked = new Map(asked.map((slot, item) => [slot, sides[item] ?? 0]));
  const sideOf = (slot: number) =>
    sideOfAsked.get(slot) ?? likerSide((item) => likeness(slot, asked[item] ?? 0), sides);
  const both = [[], []] as [number[], number[]];
  for (const slot of members) both[sideOf(slot)].push(slot);
  const [kept, out] = both[1].length * 2 <= members.length ? both : [both[1], both[0]];
  if (out.length < 2) return null;
  const pairs = (isWithin: boolean) =>
    table.flatMap((row, a) => row.filter((_, b) => b > a && (sides[a] === sides[b]) === isWithin));
  return { out, kept, across: meanOf(pairs(false)), within: meanOf(pairs(true)) };
}

type Side = 0 | 1;

/** Around the pair that is least alike, then a few rounds of moving each to the side it is like. */
function sidesOf(table: readonly (readonly number[])[]): Side[] {
  const at = (a: number, b: number) => table[a]?.[b] ?? 0;
  let [first, second] = [0, 1];
  for (let a = 0; a < table.length; a += 1) {
    for (let b = a + 1; b < table.length; b += 1)
      if (at(a, b) < at(first, second)) [first, second] = [a, b];
  }
  const sides = table.map((_, item): Side => (at(item, first) >= at(item, second) ? 0 : 1));
  sides[first] = 0;
  sides[second] = 1;
  for (let round = 0; round < 4; round += 1) {
    for (let item = 0; item < table.length; item += 1) {
      sides[item] = likerSide((other) => at(item, other), sides, item);
    }
  }
  return sides;
}

/** `like` is the likeness to each item that has a side; the item itself has no say. */
function likerSide(like: (item: number) => number, sides: readonly Side[], self = -1): Side {
  const meanTo = (side: Side) => {
    const all = sides.flatMap((s, other) => (s === side && other !== self ? [like(other)] : []));
    return all.length === 0 ? Number.NEGATIVE_INFINITY : meanOf(all);
  };
  return meanTo(0) >= meanTo(1) ? 0 : 1;
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
