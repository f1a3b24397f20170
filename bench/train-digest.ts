// Learns when two figures of two reports contradict each other, from labelled pairs of reports and
// a demonstration world, and says how good that is on sets left out of the learning. Run:
// bin/node24 bench/train-digest.ts set.jsonl … [--write]. With --write the weights of all sets
// together go to editorial/digest/pair-weights.json.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buildWorld } from '../demo/world/build-world.ts';
import { publisherOf } from '../demo/world/publishers.ts';
import { type PlantedFigure, truthOf } from '../demo/world/truth.ts';
import type { DigestReport } from '../src/radar/publication/digest/digest.ts';
import { featureNames } from '../src/radar/publication/digest/pairs/pair-features.ts';
import {
  type FeaturedPair,
  pairsWithFeatures,
  scoreOf,
} from '../src/radar/publication/digest/pairs/weigh-pairs.ts';
import { wordDisputes } from '../src/radar/publication/digest/pairs/word-disputes.ts';
import { type LabelledPair, readPairs } from '../tests/support/digest-pairs.ts';
import { type Example, fitLogistic } from './fit-logistic.ts';

type Bag = {
  readonly set: string;
  readonly isContrary: boolean;
  readonly pairs: readonly FeaturedPair[];
  readonly isLonger: boolean;
};

const ridge = 2;
const rounds = 6;
const longerWeight = 1;
const bars = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5];
/** A world tells of much beside its events, all in one manner: it counts less. */
const worldWeight = 0.15;

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
const apart =
  'direction period term exit premoney tax phase past cumulative variant frequency field'
    .split(' ')
    .map((name) => `mark-${name}`);
const rare = ['rank', 'scoreline', 'year', 'clock'];
const held = Float64Array.from(featureNames, (name) =>
  apart.includes(name) ? -2.5 : rare.includes(name) ? -0.7 : 0,
);

/** Which pair of figures makes two reports contradict each other is not said: the likeliest. */
function learn(bags: readonly Bag[], world: readonly Example[]): Float64Array {
  let weights: Float64Array = start;
  for (let round = 0; round < rounds; round += 1) {
    const examples = [...world, ...bags.flatMap((bag) => examplesOf(bag, weights))];
    weights = fitLogistic(examples, ridge, held);
  }
  return weights;
}

function examplesOf(
  { isContrary, pairs, isLonger }: Bag,
  weights: Float64Array,
): readonly Example[] {
  const top = bestOf(pairs, weights);
  return pairs.flatMap(({ pair, features }): readonly Example[] => {
    const weight = isLonger ? longerWeight : 1;
    if (!isContrary) return [{ features, isTrue: false, weight }];
    if (features === top?.features) return [{ features, isTrue: true, weight }];
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
  return all.flatMap(({ isContrary, reports }, index) => {
    // What contradicts in words says nothing of figures.
    if (isContrary && wordDisputes(reports).length > 0) return [];
    const longer = lengthened(reports, all, index);
    return [
      { set, isContrary, pairs: pairsWithFeatures(reports), isLonger: false },
      { set, isContrary, pairs: pairsWithFeatures(longer), isLonger: true },
    ];
  });
}

/** The same with a sentence in each that the other does not have, taken from other reports. */
function lengthened(
  reports: readonly DigestReport[],
  all: readonly LabelledPair[],
  index: number,
): readonly DigestReport[] {
  return reports.map((report, side) => {
    const others = all
      .flatMap((pair) => pair.reports)
      .filter((one) => one.language === report.language && !reports.includes(one));
    const extra = others[(index * 31 + side * 17 + 7) % Math.max(1, others.length)];
    return extra === undefined ? report : { ...report, text: `${report.text} ${extra.text}` };
  });
}

function report(set: string, bags: readonly Bag[], weights: Float64Array): void {
  const top = bags.map((bag) => {
    const best = bestOf(bag.pairs, weights);
    const score = best === null ? Number.NEGATIVE_INFINITY : scoreOf(best.features, weights);
    return { isContrary: bag.isContrary, score };
  });
  const counts = bars.map((bar) => {
    const over = top.filter(({ score }) => score > bar);
    const found = over.filter((one) => one.isContrary).length;
    return `${bar}: ${found} and ${over.length - found}`;
  });
  const all = top.filter((one) => one.isContrary).length;
  const none = top.length - all;
  console.log(`${set} left out, found of ${all} and invented of ${none} at ${counts.join(', ')}`);
}

if (import.meta.main) {
  const paths = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  const bags = (await Promise.all(paths.map(bagsOf))).flat();
  const world = worldExamples(1);
  for (const set of new Set(bags.map((bag) => bag.set))) {
    const rest = bags.filter((bag) => bag.set !== set);
    const weights = learn(rest, world);
    const own = bags.filter((bag) => bag.set === set);
    report(
      set,
      own.filter((bag) => !bag.isLonger),
      weights,
    );
    report(
      `${set} lengthened`,
      own.filter((bag) => bag.isLonger),
      weights,
    );
  }
  if (process.argv.includes('--write')) {
    const path = new URL('../editorial/digest/pair-weights.json', import.meta.url);
    const known = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const weights = learn(bags, world);
    const rounded = featureNames.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(3))]);
    const text = JSON.stringify({ ...known, weights: Object.fromEntries(rounded) }, null, 1);
    await writeFile(path, `${text}\n`);
    console.log(`written: ${path.pathname}`);
  }
}
