// What speaks for and against two mentions of two reports being one figure told in two ways: what
// the rest of the reports agrees on, whether either stands alone, how far apart the values are,
// what stands around them, and which marks only one of them carries.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { sameMatter } from '../find-names.ts';
import { contextOf, cosine, dimensions, likeness, namesNear, type Weighted } from './context.ts';
import {
  areAlike,
  type Facing,
  isCounted,
  isPlausible,
  isSettled,
  type Pair,
} from './face-reports.ts';
import { headLikeness } from './head-noun.ts';
import type { Mention } from './mention.ts';

const kinds = [
  'money',
  'percent',
  'duration',
  'date',
  'count',
  'year',
  'clock',
  'rank',
  'scoreline',
] as const;

const plain = [
  ...['bias', 'near', 'wide', 'head', 'head-differs', 'head-unknown', 'ratio', 'far', 'permuted'],
  ...['settled', 'settled-both', 'alone-both', 'alone-one', 'rivals', ...kinds, 'bound', 'about'],
  ...['title', 'languages', 'agreed-beside', 'agreed', 'open-elsewhere', 'days-apart'],
  ...['other-names', 'one-name', 'other-names-wide', 'rival', 'later', 'aspects', 'no-aspect'],
  ...['aspects-apart', 'aspect-shared', 'differs-beside', 'old', 'past-day', 'place'],
  ...['other-subject', 'off-subject', 'affinity', 'best-of-both', 'margin', 'much-later'],
  ...['head-other', 'small', 'foreign'],
] as const;

type Plain = (typeof plain)[number];

/** In the order of the weights. */
export const featureNames: readonly string[] = [
  ...plain,
  ...dimensions.map(({ name }) => `mark-${name}`),
];
const place = new Map(featureNames.map((name, at) => [name, at]));

export type Features = Float64Array;

export function featuresOf(pair: Pair, facing: Facing): Features {
  const features = new Float64Array(featureNames.length);
  const put = (name: Plain, value: number | boolean) => {
    features[place.get(name) ?? 0] = Number(value);
  };
  put('bias', 1);
  putValues(pair, put);
  putStanding(pair, facing, put);
  putSurroundings(pair, facing, put);
  putAspects(pair, put);
  putMarks(pair, features);
  return features;
}

type Put = (name: Plain, value: number | boolean) => void;

const isTime = ({ kind }: Mention) => /^(?:date|year|clock|rank|scoreline)$/u.test(kind);
const digitsOf = ({ written, cased, start, end }: Mention) =>
  [...(cased.slice(start, end) || written).replace(/\D/gu, '')]
    .filter((digit) => digit !== '0')
    .sort()
    .join('');

function putValues({ a, b }: Pair, put: Put): void {
  for (const kind of kinds) if (a.kind === kind) put(kind, 1);
  put('bound', a.bound !== b.bound);
  put('about', a.bound === '~' || b.bound === '~');
  if (a.kind === 'date') {
    put('days-apart', Math.log1p(Math.abs(a.value - b.value) / DAY_MS) / 3);
    const isPast = (one: Mention) => Number(one.value < one.report.at - 3 * DAY_MS);
    put('past-day', isPast(a) + isPast(b));
  }
  if (isTime(a)) return;
  const size = (one: Mention) => Math.max(1e-9, Math.abs(one.value));
  const ratio = Math.abs(Math.log2(size(a) / size(b)));
  put('ratio', Math.min(ratio, 3));
  put('far', ratio > 1.2);
  put('permuted', digitsOf(a).length > 1 && digitsOf(a) === digitsOf(b));
}

function putStanding(pair: Pair, facing: Facing, put: Put): void {
  const { a, b } = pair;
  const { pairs, settledA, settledB } = facing;
  const [own, theirs] = [settledA.get(a) ?? 0, settledB.get(b) ?? 0];
  put('settled', Math.max(own, theirs));
  put('settled-both', Math.min(own, theirs));
  const isOpen = !isSettled(own) && !isSettled(theirs);
  const [left, right] = [openFor(facing.a, settledA, b), openFor(facing.b, settledB, a)];
  put('alone-both', isOpen && left === 1 && right === 1);
  put('alone-one', isOpen && (left === 1) !== (right === 1));
  const better = pairs.filter((other) => {
    const isHalf = (other.a.group === a.group) !== (other.b.group === b.group);
    return isHalf && other.likeness > pair.likeness;
  });
  put('rivals', Math.min(better.length, 3) / 2);
  put('affinity', pair.affinity);
  const rivals = pairs.filter(
    (other) =>
      (other.a.group === a.group) !== (other.b.group === b.group) &&
      !isSettled(settledA.get(other.a) ?? 0) &&
      !isSettled(settledB.get(other.b) ?? 0),
  );
  const strongestRival = Math.max(0, ...rivals.map((other) => other.affinity));
  put('margin', rivals.length === 0 ? 0 : Math.max(-1, pair.affinity - strongestRival));
  put('best-of-both', isOpen && rivals.length > 0 && pair.affinity > strongestRival);
  put('agreed', Math.min(facing.agreed, 4) / 2);
  const elsewhere = pairs.filter(
    (other) =>
      other.a.group !== a.group &&
      other.b.group !== b.group &&
      other.likeness > 0.3 &&
      !isSettled(settledA.get(other.a) ?? 0) &&
      !isSettled(settledB.get(other.b) ?? 0),
  );
  put('open-elsewhere', Math.min(new Set(elsewhere.map((one) => one.a.group)).size, 2));
  const beside = (one: Mention, all: readonly Mention[]) =>
    all.filter((other) => other.at === one.at && other.group !== one.group);
  const agreed = beside(a, facing.a).filter((mine) =>
    beside(b, facing.b).some((other) => areAlike(mine, other) && overlap(mine, other)),
  );
  put('agreed-beside', Math.min(agreed.length, 2));
  const differs = beside(a, facing.a).some(
    (mine) =>
      !isSettled(settledA.get(mine) ?? 0) &&
      beside(b, facing.b).some(
        (other) =>
          areAlike(mine, other) &&
          !overlap(mine, other) &&
          !isSettled(settledB.get(other) ?? 0) &&
          canCountAlike(mine, other),
      ),
  );
  put('differs-beside', differs);
  const isRival = (one: Mention, all: readonly Mention[]) =>
    beside(one, all).some((other) => areAlike(other, one));
  put('rival', isRival(a, facing.a) || isRival(b, facing.b));
}

const overlap = (a: Mention, b: Mention) => a.low < b.high && b.low < a.high;
const canCountAlike = (a: Mention, b: Mention) =>
  !isCounted(a) || headLikeness(a.head, b.head) >= 0;

/** How many things of a report could be what `like` is. */
function openFor(
  all: readonly Mention[],
  settled: ReadonlyMap<Mention, number>,
  like: Mention,
): number {
  const open = all.filter(
    (one) =>
      // What recalls other news is no candidate.
      (!one.isRecalled || one.group === like.group) &&
      isPlausible(one, like) &&
      !isSettled(settled.get(one) ?? 0) &&
      canCountAlike(one, like),
  );
  return new Set(open.map((one) => one.group)).size;
}

function putSurroundings({ a, b }: Pair, facing: Facing, put: Put): void {
  const { share, count } = likeness(a, b);
  put('near', share);
  put('wide', Math.log1p(count));
  const head = headLikeness(a.head, b.head);
  put('head', Math.max(0, head));
  put('head-differs', head === -1);
  put('head-other', head === -0.5);
  put('small', isCounted(a) && head !== 1 && Math.max(a.value, b.value) < 13);
  put('head-unknown', isCounted(a) && head === 0);
  put('title', (Number(a.at === 0) + Number(b.at === 0)) / 2);
  const isOneLanguage = a.report.language === b.report.language;
  put('languages', !isOneLanguage);
  put('later', Math.abs(a.report.at - b.report.at) > 5 * 3_600_000);
  put('much-later', Math.abs(a.report.at - b.report.at) > 20 * 3_600_000);
  put('old', Number(a.isOld) + Number(b.isOld));
  put('place', (Math.min(a.at, 8) + Math.min(b.at, 8)) / 8);
  put('other-subject', !sameMatter(a.names || a.about, b.names || b.about));
  const isOff = (one: Mention) => one.names !== '' && !sameMatter(one.names, one.about);
  put('off-subject', isOff(a) || isOff(b));
  if (!isOneLanguage) return;
  const unknown = (one: Mention, text: string, from: number) =>
    namesNear(one, from).some((name) => !text.includes(name));
  const [mine, theirs] = [
    unknown(a, facing.textB, a.clause[0]),
    unknown(b, facing.textA, b.clause[0]),
  ];
  put('other-names', mine && theirs);
  put('one-name', mine !== theirs);
  put('other-names-wide', unknown(a, facing.textB, 0) && unknown(b, facing.textA, 0));
}

const strongest = (aspects: Weighted) => [...aspects].sort((x, y) => y[1] - x[1]).slice(0, 3);

function putAspects({ a, b }: Pair, put: Put): void {
  const [own, theirs] = [contextOf(a).aspects, contextOf(b).aspects];
  const [mine, other] = [strongest(own), strongest(theirs)];
  const [first, second] = [mine[0], other[0]];
  const isForeign = a.report.language !== b.report.language;
  if (first === undefined || second === undefined || first[1] < 0.25 || second[1] < 0.25) {
    put('no-aspect', 1);
    put('foreign', isForeign);
    return;
  }
  put('aspects', cosine(own, theirs));
  const isIn = (aspect: string, top: typeof mine) => top.some(([name]) => name === aspect);
  const isShared = isIn(first[0], other) || isIn(second[0], mine);
  put('aspect-shared', isShared);
  put('foreign', isForeign && !isShared);
  const isStrong = first[1] > 0.4 && second[1] > 0.4;
  put('aspects-apart', isStrong && !theirs.has(first[0]) && !own.has(second[0]));
}

/** A field is one of a test, and what goes in or comes out is measured in tokens. */
function isMarked(name: string, { kind, sentence, report }: Mention): boolean {
  if (name === 'field') return /^(?:percent|points|count)$/u.test(kind);
  if (name !== 'direction') return true;
  return /token|词元|api/u.test(`${sentence} ${report.title.toLowerCase()}`);
}

/** Marks beside the one that stand nowhere in the other's sentence. */
function putMarks({ a, b }: Pair, features: Features): void {
  const [own, theirs] = [contextOf(a), contextOf(b)];
  for (const { name, marks } of dimensions) {
    if (!isMarked(name, a)) continue;
    let missing = 0;
    for (const { mark } of marks) {
      if (own.near.has(mark) && !theirs.wide.has(mark)) missing += 1;
      if (theirs.near.has(mark) && !own.wide.has(mark)) missing += 1;
    }
    features[place.get(`mark-${name}`) ?? 0] = Math.min(missing, 2);
  }
}
