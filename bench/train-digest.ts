// Learns when two figures of two reports contradict each other, from labelled pairs of reports and
// two demonstration worlds, and says how good that is on pairs left out of the learning. Run:
// bin/node24 bench/train-digest.ts set.jsonl … [--write]. With --write the weights of all sets
// together go to editorial/digest/pair-weights.json.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buildWorld } from '../demo/world/build-world.ts';
import { type PlantedFigure, truthOf } from '../demo/world/expected-stories.ts';
import { publisherOf } from '../demo/world/publishers.ts';
import { readDays } from '../src/radar/language/read-dates.ts';
import { readFigures } from '../src/radar/language/read-figures.ts';
import type { DigestReport } from '../src/radar/publication/digest/digest.ts';
import { featureNames } from '../src/radar/publication/digest/pairs/pair-features.ts';
import { readTimes } from '../src/radar/publication/digest/pairs/read-times.ts';
import {
  type FeaturedPair,
  pairsWithFeatures,
  scoreOf,
} from '../src/radar/publication/digest/pairs/weigh-pairs.ts';
import { wordDisputes } from '../src/radar/publication/digest/pairs/word-disputes.ts';
import { readPairs } from '../tests/support/digest-pairs.ts';
import { type Example, fitLogistic } from './fit-logistic.ts';

type Bag = {
  readonly id: string;
  readonly set: string;
  readonly isContrary: boolean;
  readonly pairs: readonly FeaturedPair[];
  /** The pairs of figures that are meant, where the set names them; else the likeliest is. */
  readonly meant: readonly FeaturedPair[] | null;
};

const ridge = 1;
const rounds = 5;
/** Sets that do not name the figures are smaller and hold more figures. */
const unnamedWeight = 3;
const bars = [0, 0.5, 0.8, 1.1, 1.4, 1.7, 2];
const shares = [0.01, 0.02, 0.05];
const folds = 6;
/** Worlds tell of much beside their events, all in one manner: they count less. */
const worldWeight = 0.105;
const worldSeeds = [1, 2];

/** What is known before: with it the first guess at which pair is meant is made. */
const guess: Readonly<Record<string, number>> = {
  ...{ bias: -2, near: 3, 'alone-both': 1.5, settled: -2.5, rivals: -1, head: 1 },
  ...{ 'head-differs': -1.5, ratio: -0.5, permuted: 1, 'open-elsewhere': -0.5, aspects: 2 },
  ...{ 'other-names': -1, rival: -0.3, 'aspects-apart': -1, 'differs-beside': -1 },
};
const start = Float64Array.from(
  featureNames,
  (name) => guess[name] ?? (name.startsWith('mark-') ? -0.7 : 0),
);

/** What keeps figures apart by what it means is only unlearned by evidence. */
const apart = (
  'direction period term exit premoney tax phase past cumulative variant frequency field gender ' +
  'average gust channel round flow userkind fate asked proof today qualifier'
)
  .split(' ')
  .map((name) => [`mark-${name}`, -2.5] as const);
const known = new Map<string, number>([
  ...apart,
  ...['rank', 'scoreline', 'year', 'clock'].map((name) => [name, -0.7] as const),
  ...([
    ['much-later', -1.5],
    ['head-differs', -2],
    ['head-other', -0.7],
  ] as const),
  ...([
    ['small', -1],
    ['past-day', -1],
    ['foreign', -1.5],
  ] as const),
]);
const held = Float64Array.from(featureNames, (name) => known.get(name) ?? 0);

/** Which pair of figures makes two reports contradict each other is not said: the likeliest. */
function learn(bags: readonly Bag[], world: readonly Example[]): Float64Array {
  let weights: Float64Array = start;
  for (let round = 0; round < rounds; round += 1) {
    const examples = [...world, ...bags.flatMap((bag) => examplesOf(bag, weights))];
    weights = fitLogistic(examples, ridge, held);
  }
  return weights;
}

function examplesOf(bag: Bag, weights: Float64Array): readonly Example[] {
  const { isContrary, pairs, meant } = bag;
  const weight = meant === null ? unnamedWeight : 1;
  const top = bestOf(meant ?? pairs, weights);
  return pairs.flatMap((one): readonly Example[] => {
    const { pair, features } = one;
    if (!isContrary) return [{ features, isTrue: false, weight }];
    if (features === top?.features) return [{ features, isTrue: true, weight }];
    if (meant !== null) {
      const isBeside = pair.a.group !== top?.pair.a.group && pair.b.group !== top?.pair.b.group;
      return !meant.includes(one) && isBeside ? [{ features, isTrue: false, weight }] : [];
    }
    const isOther = pair.a.value !== top?.pair.a.value && pair.b.value !== top?.pair.b.value;
    return isOther ? [{ features, isTrue: false, weight: weight / 2 }] : [];
  });
}

function bestOf(pairs: readonly FeaturedPair[], weights: Float64Array): FeaturedPair | null {
  let best: FeaturedPair | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of pairs) {
    const score = scoreOf(one.features, weights);
    if (score > most) [best, most] = [one, score];
  }
  return best;
}

/** The demonstration's stories: what is planted contradicts, all else does not. */
export function worldExamples(seed: number): readonly Example[] {
  const world = buildWorld({ seed, now: Date.parse('2026-11-21T06:00:00Z') });
  const planted = new Map(truthOf(world).planted.map((figure) => [figure.id, figure]));
  return [...Map.groupBy(world.entries, (entry) => entry.eventId)].flatMap(([event, entries]) => {
    const plant = planted.get(`p-${event}`);
    const reports = entries.map((entry): DigestReport => {
      const { owner, name, tier } = publisherOf(entry.publisherId);
      return {
        ...{ id: entry.key, owner, sourceName: name, isFirstParty: false, tier, summary: null },
        ...{ language: entry.lang, at: entry.at, title: entry.title },
        text: entry.paragraphs.join('\n\n'),
      };
    });
    return examplesOfStory(pairsWithFeatures(reports), plant);
  });
}

function examplesOfStory(
  pairs: readonly FeaturedPair[],
  plant: PlantedFigure | undefined,
): readonly Example[] {
  const side = (id: string) => plant?.statements.find((one) => one.entryKey === id)?.value;
  const isPlanted = ({ pair: { a, b } }: FeaturedPair) => {
    const [own, theirs] = [side(a.report.id), side(b.report.id)];
    if (own === undefined || theirs === undefined || own === theirs) return false;
    return Math.abs((a.value / b.value / own) * theirs - 1) < 0.03;
  };
  const key = (one: FeaturedPair['pair']['a']) => `${one.report.id} ${one.group}`;
  const meant = new Set(pairs.filter(isPlanted).flatMap(({ pair }) => [key(pair.a), key(pair.b)]));
  return pairs.flatMap((one): readonly Example[] => {
    const { pair, features } = one;
    if (plant?.kind === 'contradiction' && isPlanted(one)) {
      return [{ features, isTrue: true, weight: worldWeight / 3 }];
    }
    // A figure that is taken back differs too, and is told as such elsewhere.
    const isNear = plant?.kind === 'revision' || meant.has(key(pair.a)) || meant.has(key(pair.b));
    return isNear ? [] : [{ features, isTrue: false, weight: worldWeight }];
  });
}

async function bagsOf(path: string): Promise<readonly Bag[]> {
  const set = basename(path, '.jsonl');
  const all = readPairs(await readFile(path, 'utf8'));
  return all.flatMap(({ id, isContrary, reports, note }): readonly Bag[] => {
    const pairs = pairsWithFeatures(reports);
    const meant = note === null ? null : isContrary ? meantIn(note, pairs, reports) : [];
    // What contradicts in words says nothing of figures.
    if (meant === null && isContrary && wordDisputes(reports).length > 0) return [];
    return [{ id: `${set} ${id}`, set, isContrary, pairs, meant }];
  });
}

const factors = [1, 60, 3600, 86_400, 604_800, 2_629_800, 31_557_600, 10, 100, 1e3, 1e4, 1e6, 1e8];

/** The pairs whose two values stand in the note: "48 v 61". */
function meantIn(
  note: string,
  pairs: readonly FeaturedPair[],
  reports: readonly DigestReport[],
): readonly FeaturedPair[] {
  if (/无数字|no figure/u.test(note)) return [];
  const text = note.normalize('NFKC').toLowerCase();
  const at = reports[0]?.at ?? 0;
  const days = readDays(text, at);
  const dates = [
    ...days.map(({ value }) => Date.parse(value)),
    ...readTimes(text, at, days).flatMap((one) => (one.kind === 'date' ? [one.value] : [])),
  ];
  const numbers = [
    ...readFigures(text).map(({ value }) => value),
    ...[...text.matchAll(/\d[\d,]*(?:\.\d+)?/gu)].map(([one]) => Number(one.replaceAll(',', ''))),
  ];
  const isIn = ({ kind, value }: FeaturedPair['pair']['a']) =>
    kind === 'date'
      ? dates.some((one) => Math.abs(one - value) < 6e7)
      : numbers.some((one) =>
          factors.some((factor) => Math.abs((one * factor) / value - 1) < 0.02),
        );
  return pairs.filter(({ pair }) => isIn(pair.a) && isIn(pair.b));
}

function report(name: string, scores: readonly Scored[]): void {
  const found = scores.filter(({ bag }) => bag.isContrary && bag.meant?.length !== 0);
  const rest = scores
    .filter(({ bag }) => !bag.isContrary)
    .map(({ score }) => score)
    .sort((a, b) => b - a);
  const over = (list: readonly number[], bar: number) => list.filter((one) => one > bar).length;
  const own = found.map(({ score }) => score);
  const counts = bars.map((bar) => `${bar}: ${over(own, bar)} and ${over(rest, bar)}`);
  const atShares = shares.map((share) => {
    const bar = rest[Math.floor(share * rest.length)] ?? 0;
    return `${100 * share}%: ${over(own, bar)}`;
  });
  console.log(`${name}, found of ${own.length} and invented of ${rest.length}`);
  console.log(`  at the bar ${counts.join(', ')}; at ${atShares.join(', ')} invented`);
}

type Scored = { readonly bag: Bag; readonly score: number };

/** Every pair of reports scored by weights that were learned without it. */
function crossValidate(bags: readonly Bag[], world: readonly Example[]): readonly Scored[] {
  const foldOf = new Map(bags.map((bag, at) => [bag, at % folds]));
  return Array.from({ length: folds }, (_, fold) => {
    const weights = learn(
      bags.filter((bag) => foldOf.get(bag) !== fold),
      world,
    );
    return bags
      .filter((bag) => foldOf.get(bag) === fold)
      .map((bag): Scored => {
        const best = bestOf(bag.pairs, weights);
        const score = best === null ? -99 : scoreOf(best.features, weights) + best.bonus;
        return { bag, score };
      });
  }).flat();
}

if (import.meta.main) {
  const paths = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  const bags = (await Promise.all(paths.map(bagsOf))).flat();
  const world = worldSeeds.flatMap(worldExamples);
  const scores = crossValidate(bags, world);
  for (const [set, own] of Map.groupBy(scores, ({ bag }) => bag.set)) report(set, own);
  report('all', scores);
  if (process.argv.includes('--write')) {
    const path = new URL('../editorial/digest/pair-weights.json', import.meta.url);
    const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const weights = learn(bags, world);
    const rounded = featureNames.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(3))]);
    const text = JSON.stringify({ ...file, weights: Object.fromEntries(rounded) }, null, 1);
    await writeFile(path, `${text}\n`);
    console.log(`written: ${path.pathname}`);
  }
}
