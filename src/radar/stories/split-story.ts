// The split test: whether a story is really two. Its items are cut in two around the pair that is
// least alike; it is two stories when what lies across the cut is less than half as likely as what
// lies within, and each side has two items or more.
import { probability } from './decide/weigh.ts';

const mostItems = 40;

/** The smaller side's slots, to be taken out; null when the story holds together. */
export function splitOff(
  members: readonly number[],
  pairOdds: (a: number, b: number) => number,
): readonly number[] | null {
  if (members.length < 4 || members.length > mostItems) return null;
  const size = members.length;
  const likely = members.map((a) =>
    members.map((b) => (a === b ? 1 : probability(pairOdds(a, b)))),
  );
  const at = (a: number, b: number) => likely[a]?.[b] ?? 0;
  let [first, second] = [0, 1];
  for (let a = 0; a < size; a += 1) {
    for (let b = a + 1; b < size; b += 1)
      if (at(a, b) < at(first, second)) [first, second] = [a, b];
  }
  const sides = members.map((_, item) => (at(item, first) >= at(item, second) ? 0 : 1));
  sides[first] = 0;
  sides[second] = 1;
  // A few rounds of moving each item to the side it is more like; then the cut stands.
  for (let round = 0; round < 4; round += 1) {
    for (let item = 0; item < size; item += 1) {
      const to = ([0, 1] as const).map((side) =>
        meanOf(
          sides.flatMap((s, other) => (s === side && other !== item ? [at(item, other)] : [])),
        ),
      );
      sides[item] = (to[0] ?? 0) >= (to[1] ?? 0) ? 0 : 1;
    }
  }
  const pairs = (same: boolean) =>
    sides.flatMap((side, a) =>
      sides.slice(a + 1).flatMap((s, b) => ((s === side) === same ? [at(a, a + 1 + b)] : [])),
    );
  const smaller = sides.filter((side) => side === 1).length * 2 <= size ? 1 : 0;
  const out = members.filter((_, item) => sides[item] === smaller);
  if (out.length < 2 || size - out.length < 2) return null;
  return meanOf(pairs(false)) < meanOf(pairs(true)) / 2 ? out : null;
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
