// Learns the story engine's weights from labelled items and writes editorial/stories/weights.json.
// The items ({ id, time, lang, title, text?, cluster } per line) are given by their paths and stay
// where they are. Run: bin/node24 bench/train-stories.ts set.jsonl … [--held-out set.jsonl …]
// [--write]. With --held-out nothing is learned from those sets: their scores are honest.
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openParts, publish, take } from '../src/radar/stories/clustering/engine-state.ts';
import type { Story } from '../src/radar/stories/clustering/story-index.ts';
import type { StoryItem } from '../src/radar/stories/clustering/story-item.ts';
import { assignAll } from '../src/radar/stories/evaluation/assign-all.ts';
import { openStoryRules } from '../src/radar/stories/rules/open-rules.ts';
import { readStoryFiles } from '../src/radar/stories/rules/read-story-rules.ts';
import type { StoryFiles } from '../src/radar/stories/rules/rule-files.ts';
import { findCandidates } from '../src/radar/stories/scoring/find-candidates.ts';
import { logOdds } from '../src/radar/stories/scoring/logistic.ts';
import {
  type PairFeature,
  pairFeatureNames,
  pairFeatures,
  timeFeatures,
} from '../src/radar/stories/scoring/pair-features.ts';
import { storyFeatureNames } from '../src/radar/stories/scoring/story-features.ts';
import { type Example, fitLogistic } from './fit-logistic.ts';
import { fitTrees } from './fit-trees.ts';
import { type Score, scoreAssignment } from './score-stories.ts';
import { askedFeatures, fitAsked, isFew, mayAsk, type PairKind } from './selected-features.ts';

export type LabelledItem = StoryItem & { readonly cluster: string };

export async function readLabelled(path: string): Promise<readonly LabelledItem[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const row = JSON.parse(line) as Record<string, string | null>;
    return {
      id: String(row.id),
      timeMs: row.time === null || row.time === undefined ? null : Date.parse(row.time),
      lang: String(row.lang),
      title: String(row.title),
      ...(typeof row.text === 'string' && { text: row.text }),
      cluster: String(row.cluster),
    };
  });
}

type Replayed = { readonly pairs: readonly Example[]; readonly stories: readonly Example[] };

/** Which events are learned from. */
type Uses = (cluster: string) => boolean;

/** Replays a set with every item put where it belongs: what had to be decided, and the pairs. */
function replay(files: StoryFiles, items: readonly LabelledItem[], uses: Uses): Replayed {
  const parts = openParts(openStoryRules(files), []);
  const { memory, board, judge } = parts;
  const { settings } = files.rules;
  const storyOfCluster = new Map<string, Story>();
  const clusterOf: string[] = [];
  const stories: Example[] = [];
  for (const item of items) {
    const { slot } = take(parts, item);
    clusterOf[slot] = item.cluster;
    const { near, alike } = judge.consider(slot);
    const weight = 1 / items.length;
    for (const { story, features } of near.slice(0, 8)) {
      if (!uses(item.cluster) || !uses(clusterOf[story.members[0] ?? slot] ?? '')) continue;
      const isTrue = storyOfCluster.get(item.cluster) === story;
      stories.push({ features, isTrue, weight: (weight * perSet) / Math.max(4, near.length) });
    }
    const story = storyOfCluster.get(item.cluster);
    if (story === undefined) storyOfCluster.set(item.cluster, board.found(slot, false));
    else board.put(slot, story);
    publish(parts, slot, alike);
  }
  const pairs: Example[] = [];
  const seen = new Set<number>();
  for (let slot = 0; slot < items.length; slot += 1) {
    for (const other of findCandidates(memory, slot, settings.candidates, () => true)) {
      const key = Math.min(slot, other) * items.length + Math.max(slot, other);
      if (seen.has(key)) continue;
      seen.add(key);
      if (!uses(clusterOf[slot] ?? '') || !uses(clusterOf[other] ?? '')) continue;
      const features = new Float64Array(pairFeatureNames.length);
      pairFeatures(memory, slot, other, settings.decayDays, features);
      const isTrue = clusterOf[other] === clusterOf[slot];
      // Pairs that are not alike are many: one in four stands for the others.
      if (!isTrue && key % 4 !== 0) continue;
      const weight = (pairsPerItem / items.length) * (isTrue ? 1 : 4);
      pairs.push({ features, isTrue, weight });
    }
  }
  return { pairs, stories };
}

const perSet = 1000;
const pairsPerItem = 50;

/**
 * What is held of a feature before anything is learned, in log-odds. The sets have few versions,
 * editions and texts in two languages: what they cannot teach stays as it stands here.
 */
const heldBefore: Readonly<Partial<Record<PairFeature, number>>> = {
  nearnessDay: 2.5,
  versionShared: 1,
  versionConflict: -4,
  versionElsewhere: -2,
  numberShared: 0.5,
  editionConflict: -2,
  linkShared: 4,
  otherOpener: -4,
  actionMain: 1,
  actionConflict: -1,
  otherActor: -1,
  nameContained: 1,
  nameNone: -1.5,
  titleNamesLeast: 2,
  titleNamesMost: 1,
  titleNamesNone: -1,
  figureConflict: -0.5,
  allFigureContained: 1.5,
  dayShared: 0.5,
  dayConflict: -0.5,
  crossNames: 2,
  crossSounds: 2,
  crossFigures: 1.5,
  crossAction: 1,
  crossNumber: 1,
  crossNear: 1,
  crossConcepts: 2,
  apartText: -1,
  apartOtherAction: -2.5,
  apartConflict: -1.5,
};

/** What tells one set from another more than one event from another: no tree asks for it. */
const askedByNoTree: readonly PairFeature[] = [
  'bias',
  'untimed',
  'bothText',
  'crossScript',
  'shortTitle',
];

const asRecord = (names: readonly string[], weights: Float64Array) =>
  Object.fromEntries(names.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(4))]));

type PairModel = StoryFiles['weights']['texts'];

/** What pairs of these sets teach: weights first, then what trees add to them. */
function trainPairs(
  files: StoryFiles,
  sets: readonly (readonly LabelledItem[])[],
  uses: Uses,
  kind: PairKind,
): PairModel {
  const asked = askedFeatures[kind];
  // What is learned must not depend on the weights of before: the first round starts from what
  // is held, with every word counted; the next has pairs that tell what was counted twice.
  const { rules } = files;
  const bare = { ...rules, settings: { ...rules.settings, companionFrom: 99 } };
  const held = Float64Array.from(pairFeatureNames, (name) => heldBefore[name] ?? 0);
  held[0] = -6;
  const withPairs = (pair: Float64Array) => {
    const model = { trees: [], pair: asRecord(pairFeatureNames, pair) };
    const of: Record<PairKind, PairModel> = {
      texts: model,
      undated: model,
      undatedHan: model,
      headlines: model,
    };
    return { ...files.weights, ...of };
  };
  const learn = (from: StoryFiles) => {
    const timed = sets.map((items) => items.some(({ timeMs }) => timeMs !== null));
    const pairs = sets.flatMap((items, at) => {
      const list = replay(from, items, uses).pairs;
      return [
        ...list,
        ...(timed[at] ? [untimed(list)] : [retimed(list, 60), retimed(list, 20)]),
      ].flat();
    });
    return { pairs, weights: fitAsked(pairs, asked, { ...heldBefore, bias: -6 }, isFew(kind)) };
  };
  const first = learn({ ...files, rules: bare, weights: withPairs(held) });
  const { pairs, weights } = learn({ ...files, weights: withPairs(first.weights) });
  const allowed = pairFeatureNames.flatMap((name, at) =>
    askedByNoTree.includes(name) || !mayAsk(kind, name) ? [] : [at],
  );
  const given = Float64Array.from(pairs, ({ features }) => logOdds(weights, features));
  const trees = fitTrees(pairs, pairFeatureNames, allowed, given, boost);
  return { pair: asRecord(pairFeatureNames, weights), trees };
}

/**
 * Pairs with texts by all sets, those without times by all but sets that have both, two Chinese
 * ones of them by sets of such alone, headlines by those without texts; then stories by all.
 */
export function train(
  files: StoryFiles,
  sets: readonly (readonly LabelledItem[])[],
  uses: Uses = () => true,
) {
  const learn = (kind: PairKind, isTeacher: (items: readonly LabelledItem[]) => boolean) => {
    const teachers = sets.filter(isTeacher);
    return teachers.length === 0 ? null : trainPairs(files, teachers, uses, kind);
  };
  const texts = trainPairs(files, sets, uses, 'texts');
  const undated = learn('undated', (items) => !items.every(isDatedText)) ?? texts;
  const undatedHan = learn('undatedHan', (items) => items.every(isUndatedHan)) ?? undated;
  const headlines = learn('headlines', (items) => items.every(isHeadline)) ?? texts;
  const weights = { ...files.weights, texts, undated, undatedHan, headlines };
  const stories = sets.flatMap((items) => replay({ ...files, weights }, items, uses).stories);
  const story = asRecord(storyFeatureNames, fitLogistic(stories, 0.5));
  return { ...files, weights: { ...weights, story } };
}

const isHeadline = ({ text }: LabelledItem) => text === undefined;
const isDatedText = ({ text, timeMs }: LabelledItem) => text !== undefined && timeMs !== null;
const isUndatedHan = ({ text, timeMs, lang }: LabelledItem) =>
  text !== undefined && timeMs === null && lang.startsWith('zh');

const boost = { trees: 60, rate: 0.15, leastWeight: 1, ridge: 20 };

/** The same pairs as if no time were known. */
function untimed(pairs: readonly Example[]): readonly Example[] {
  return pairs.map(({ features, isTrue, weight }) => {
    const copy = Float64Array.from(features);
    timeFeatures(null, 4, copy);
    return { features: copy, isTrue, weight };
  });
}

/** Pairs without times as if reports of one event came within hours, events over some days. */
function retimed(pairs: readonly Example[], days: number): readonly Example[] {
  let state = days;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state + 0.5) / 2_147_483_648;
  };
  return pairs.map(({ features, isTrue, weight }) => {
    const apart = isTrue ? 0 : Math.abs(random() - random()) * days;
    const gap = Math.abs(apart - 0.7 * Math.log(random()) + 0.7 * Math.log(random()));
    const copy = Float64Array.from(features);
    timeFeatures(gap, 4, copy);
    return { features: copy, isTrue, weight };
  });
}

/** The set run through the engine as it would be: each item's story. */
export function assign(files: StoryFiles, items: readonly LabelledItem[]): Map<string, string> {
  const assigned = assignAll(openStoryRules(files), items);
  return new Map(assigned.map(({ id, story }) => [id, story]));
}

function evaluate(files: StoryFiles, items: readonly LabelledItem[]): Score {
  const stories = assign(files, items);
  return scoreAssignment(
    items.map(({ id, cluster }) => ({ cluster, story: stories.get(id) ?? id })),
  );
}

function line(name: string, { bcubed, pairwise, stories, largest }: Score): string {
  const n = (value: number) => value.toFixed(3);
  return [
    name.padEnd(18),
    `B ${n(bcubed.p)} ${n(bcubed.r)} ${n(bcubed.f1)}`,
    `P ${n(pairwise.p)} ${n(pairwise.r)} ${n(pairwise.f1)}`,
    `${stories} stories, largest ${largest.size} (${n(largest.purity)})`,
  ].join('  ');
}

const nameOf = (path: string) => path.replace(/^.*\//u, '').replace(/\.jsonl$/u, '');

async function main(args: readonly string[]): Promise<void> {
  const files = await readStoryFiles('editorial');
  const heldFrom = args.indexOf('--held-out');
  const paths = args.filter((arg) => !arg.startsWith('--'));
  const sets = new Map<string, readonly LabelledItem[]>();
  for (const path of paths) sets.set(path, await readLabelled(path));
  const learned = paths.filter((path) => heldFrom < 0 || args.indexOf(path) < heldFrom);
  const trained = train(
    files,
    learned.map((path) => sets.get(path) ?? []),
  );
  if (args.includes('--write')) {
    await writeFile(
      'editorial/stories/weights.json',
      `${JSON.stringify(trained.weights, null, 1)}\n`,
    );
  } else await writeFile(join(tmpdir(), 'story-weights.json'), JSON.stringify(trained.weights));
  for (const [path, items] of sets) console.log(line(nameOf(path), evaluate(trained, items)));
}

if (import.meta.main) await main(process.argv.slice(2));
