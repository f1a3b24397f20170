// Two reports face to face: which of their figures agree and so are settled, and which pairs are
// left that could be one figure told in two ways.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import type { DigestReport } from '../digest.ts';
import { contextOf, cosine, likeness, marksBetween } from './context.ts';
import { headLikeness } from './head-noun.ts';
import type { Mention } from './mention.ts';
import { readSentences } from './read-sentences.ts';
import { isShareAndGrowth } from './share-or-growth.ts';

export type Pair = {
  readonly a: Mention;
  readonly b: Mention;
  /** By words, and by words and matters. */
  readonly likeness: number;
  readonly affinity: number;
};

export type Facing = {
  readonly a: readonly Mention[];
  readonly b: readonly Mention[];
  /** Titles and texts, in lower case. */
  readonly textA: string;
  readonly textB: string;
  /** How surely the other report states the same; 0 where it does not. */
  readonly settledA: ReadonlyMap<Mention, number>;
  readonly settledB: ReadonlyMap<Mention, number>;
  /** Things that both state alike. */
  readonly agreed: number;
  /** Of each two things, the mentions that stand most alike. */
  readonly pairs: readonly Pair[];
};

const settledFrom = 0.35;
export const isSettled = (value: number): boolean => value >= settledFrom;

/** A number or a place in an order is of the noun behind it. */
export const isCounted = ({ kind }: Mention): boolean => kind === 'count' || kind === 'rank';

export const areAlike = (a: Mention, b: Mention): boolean => a.kind === b.kind && a.unit === b.unit;

const agree = (a: Mention, b: Mention) => a.low < b.high && b.low < a.high;

/** "A year of hearings" is compared only with what also speaks of hearings, or of some noun. */
function isOfBoth(a: Mention, b: Mention): boolean {
  const speaks = (one: Mention, other: Mention) =>
    one.head.length === 0 ||
    other.head.length > 0 ||
    other.sentence.includes(one.head[0] ?? '') ||
    (isHan(other.sentence) && !isAfter(one));
  return speaks(a, b) && speaks(b, a);
}

const isAfter = ({ sentence, start }: Mention) => /\bafter $/u.test(sentence.slice(0, start));

const isHan = (text: string) => /\p{sc=Han}/u.test(text);

/** Too far apart, two figures are not of one thing. */
export function isPlausible(a: Mention, b: Mention): boolean {
  if (!areAlike(a, b)) return false;
  if (a.kind === 'date') return Math.abs(a.value - b.value) < 400 * DAY_MS;
  if (a.kind === 'year' || a.kind === 'rank' || a.kind === 'scoreline') return true;
  if (a.kind === 'duration' && !isOfBoth(a, b)) return false;
  const [x, y] = [Math.abs(a.value), Math.abs(b.value)];
  const most = a.kind === 'percent' ? 4.5 : a.kind === 'count' ? 6 : 8;
  return Math.max(x, y) < most * Math.max(1e-9, Math.min(x, y));
}

/** A day that only one report names, before any of the story's, is of something else. */
function isOfOtherDay({ kind, days }: Mention, other: DigestReport, since: number): boolean {
  if (kind === 'date' || days.length === 0) return false;
  const known = readSentences(other).flatMap((one) => one.days.map((day) => Date.parse(day.value)));
  return days.every(
    (day) => day < since - 1.6 * DAY_MS && !known.some((own) => Math.abs(own - day) < 1.1 * DAY_MS),
  );
}

/** `since` is when the story's first report appeared. */
export function faceReports(a: readonly Mention[], b: readonly Mention[], since: number): Facing {
  const [textA, textB] = [textOf(a), textOf(b)];
  const settledA = new Map(a.map((one) => [one, settledBy(one, a, b)]));
  const settledB = new Map(b.map((one) => [one, settledBy(one, b, a)]));
  const agreed = new Set(
    a.filter((one) => isSettled(settledA.get(one) ?? 0)).map((one) => one.group),
  ).size;
  // What the other states as well, on both sides, is no difference.
  const [reportA, reportB] = [a[0]?.report, b[0]?.report];
  const isOpen = (mention: Mention, other: DigestReport | undefined) =>
    !mention.isRecalled && (other === undefined || !isOfOtherDay(mention, other, since));
  const pairs = pairsOf(
    a.filter((one) => isOpen(one, reportB)),
    b.filter((one) => isOpen(one, reportA)),
  ).filter(
    (pair) => !isSettled(settledA.get(pair.a) ?? 0) || !isSettled(settledB.get(pair.b) ?? 0),
  );
  return { a, b, textA, textB, settledA, settledB, agreed, pairs };
}

function textOf(mentions: readonly Mention[]): string {
  const report = mentions[0]?.report;
  return report === undefined
    ? ''
    : `${report.title}\n${report.text}`.normalize('NFKC').toLowerCase();
}

function settledBy(mention: Mention, own: readonly Mention[], others: readonly Mention[]): number {
  let best = 0;
  for (const twin of own) {
    if (twin.group !== mention.group) continue;
    for (const other of others) {
      if (!areAlike(twin, other) || !agree(twin, other)) continue;
      if (isShareAndGrowth(twin, other)) continue;
      const head = isCounted(twin) ? 0.3 * headLikeness(twin.head, other.head) : 0;
      best = Math.max(best, 0.4 + likeness(twin, other).share + head);
    }
  }
  return best;
}

function pairsOf(own: readonly Mention[], others: readonly Mention[]): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  const meets = (one: Mention, all: readonly Mention[], group: number) =>
    all.some(
      (other) => other.group === group && agree(other, one) && !isShareAndGrowth(other, one),
    );
  for (const a of own) {
    for (const b of others) {
      if (!isPlausible(a, b) || agree(a, b)) continue;
      if (meets(b, own, a.group) || meets(a, others, b.group)) continue;
      const head = isCounted(a) ? 0.5 * headLikeness(a.head, b.head) : 0;
      const inTitle = 0.1 * (Number(a.at === 0) + Number(b.at === 0));
      const likely = likeness(a, b).share + head - inTitle;
      const [mine, theirs] = [contextOf(a), contextOf(b)];
      const marks = marksBetween(mine, theirs);
      const affinity =
        likely + 0.6 * cosine(mine.aspects, theirs.aspects) - 0.2 * Math.min(marks, 3);
      const pair = { a, b, likeness: likely, affinity };
      const key = `${a.group}|${b.group}`;
      const known = pairs.get(key);
      if (known === undefined || pair.likeness > known.likeness) pairs.set(key, pair);
    }
  }
  return [...pairs.values()];
}
