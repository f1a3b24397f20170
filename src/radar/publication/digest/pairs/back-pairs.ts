// What a story of several reports adds to a pair of figures: further owners who give one of the two
// values, and that the reports agree on what a thing is now where they differ on what it was.
import { contextOf, formerMark } from './context.ts';
import { areAlike, type Facing, isSettled, type Pair } from './face-reports.ts';
import { headLikeness } from './head-noun.ts';
import type { Mention } from './mention.ts';
import { isApartInScope } from './scopes.ts';

export type BackedPair = Pair & {
  readonly score: number;
  /** Each is the only one of its kind that the other report does not state as well. */
  readonly isAlone: boolean;
};

const perOwner = 0.6;
const most = 2;
/** Less likely pairs say nothing of others. */
const least = -2.5;

const overlap = (a: Mention, b: Mention) => areAlike(a, b) && a.low < b.high && b.low < a.high;

/** Each further owner makes it likelier that both values are of one thing. */
export function backing(pair: BackedPair, all: readonly BackedPair[], bar: number): number {
  const { a, b, score, isAlone } = pair;
  const mayCount = isAlone && score <= bar && score > bar - most;
  if (!mayCount || headLikeness(a.head, b.head) < 0) return 0;
  const [own, theirs] = [new Set<string>(), new Set<string>()];
  for (const other of all) {
    if (!other.isAlone || other.score < least) continue;
    const isSame = overlap(other.a, a) && overlap(other.b, b);
    if (!isSame && !(overlap(other.b, a) && overlap(other.a, b))) continue;
    own.add((isSame ? other.a : other.b).report.owner);
    theirs.add((isSame ? other.b : other.a).report.owner);
  }
  const further = Math.max(0, own.size - 1) + Math.max(0, theirs.size - 1);
  return Math.min(most, perOwner * further);
}

/** What is known by rule and not learned. */
export function bonusOf(pair: Pair, facing: Facing, isOfMany: boolean): number {
  // Where several owners tell a story, they show which figures are of one thing.
  const isApart = !isOfMany && isApartInScope(pair, facing);
  return (
    rewardOf(pair, facing) -
    (isQualifiedApart(pair) ? qualifiedApart : 0) -
    (isApart ? scopedApart : 0)
  );
}

const qualifiedApart = 3;
const scopedApart = 4;
const qualifiers = /^(?:qualifier|proof|gust|average|gender|channel|flow|userkind):/u;

/** "Letters of intent" and "firm contracts": each is qualified in a way that the other is not. */
function isQualifiedApart({ a, b }: Pair): boolean {
  const [own, theirs] = [contextOf(a), contextOf(b)];
  const hasOwn = (near: ReadonlySet<string>, wide: ReadonlySet<string>) =>
    [...near].some((mark) => qualifiers.test(mark) && !wide.has(mark));
  return hasOwn(own.near, theirs.wide) && hasOwn(theirs.near, own.wide);
}

function rewardOf(pair: Pair, facing: Facing): number {
  if (isOfOneChange(pair, facing)) return ofOneChange;
  if (isOnOneTest(pair)) return onOneTest;
  return isBare(pair) ? bare : 0;
}

const bare = 0.5;

/** "770k" without its noun is rarely of another thing than the 640,000 tokens of the others. */
function isBare({ a, b }: Pair): boolean {
  const areMany = a.kind === 'count' && a.value >= 10_000 && b.value >= 10_000;
  return areMany && (a.head.length === 0) !== (b.head.length === 0);
}

const onOneTest = 2.5;
const tests = /\b(?:on|to|against|at) (?<test>\p{Lu}[\p{L}\p{N}-]+)/gu;
const days = /day$|^(?:January|February|March|April|May|June|July|August)$|^\p{L}+ber$/u;

/** "12.5 percent on Repowright", "Applied to Repowright, it adds 18.1%". */
function isOnOneTest({ a, b }: Pair): boolean {
  if (a.kind !== 'percent') return false;
  const [own, theirs] = [testsIn(a.cased), testsIn(b.cased)];
  return own.length === 1 && theirs.length === 1 && own[0] === theirs[0];
}

const testsIn = (cased: string): readonly string[] => [
  ...new Set(
    [...cased.matchAll(tests)]
      .map((match) => match.groups?.test ?? '')
      .filter((one) => !days.test(one)),
  ),
];

const ofOneChange = 3;

/** Both tell of one change, from different values to the same. */
function isOfOneChange({ a, b }: Pair, facing: Facing): boolean {
  const areFormer = [a, b].every((one) => contextOf(one).near.has(formerMark));
  if (!areFormer) return false;
  const others = (all: readonly Mention[], own: Mention) =>
    all.filter((one) => areAlike(one, own) && one.group !== own.group && !one.isRecalled);
  const [left, right] = [others(facing.a, a), others(facing.b, b)];
  const isOne = (list: readonly Mention[]) => new Set(list.map((one) => one.group)).size === 1;
  const isAgreed =
    left.every((one) => isSettled(facing.settledA.get(one) ?? 0)) &&
    right.every((one) => isSettled(facing.settledB.get(one) ?? 0));
  return isOne(left) && isOne(right) && isAgreed;
}
