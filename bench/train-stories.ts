// Learns the story engine's weights from labelled items and writes editorial/stories/weights.json.
// The items ({ id, time, lang, title, text?, cluster } per line) are given by their paths and stay
// where they are. Run: bin/node24 bench/train-stories.ts set.jsonl … [--held-out set.jsonl …]
// [--write]. With --held-out nothing is learned from those sets: their scores are honest.
import { readFile, writeFile } from 'node:fs/promises';
import { findCandidates } from '../src/radar/stories/decide/find-candidates.ts';
import { pairFeatureNames, pairFeatures } from '../src/radar/stories/decide/pair-features.ts';
import { storyFeatureNames } from '../src/radar/stories/decide/story-features.ts';
import type { StoryFiles } from '../src/radar/stories/editorial.ts';
import { openEngine, type Story } from '../src/radar/stories/engine.ts';
import type { StoryItem } from '../src/radar/stories/item.ts';
import { openStoryRules } from '../src/radar/stories/open-rules.ts';
import { readStoryFiles } from '../src/radar/stories/read-story-rules.ts';
import { type Example, fitLogistic } from './fit-logistic.ts';
import { type Score, scoreAssignment } from './score-stories.ts';

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

/** Replays a set with every item put where it belongs, and collects what had to be decided. */
function collect(files: StoryFiles, items: readonly LabelledItem[], of: 'pair' | 'story') {
  const engine = openEngine(openStoryRules(files));
  const { memory } = engine;
  const { settings } = files.rules;
  const storyOfCluster = new Map<string, Story>();
  const clusterOf: string[] = [];
  const examples: Example[] = [];
  for (const item of items) {
    const { slot } = engine.take(item);
    clusterOf[slot] = item.cluster;
    const decided: { features: Float64Array; isTrue: boolean }[] = [];
    if (of === 'pair') {
      for (const other of findCandidates(memory, slot, settings.candidates, () => true)) {
        const features = new Float64Array(pairFeatureNames.length);
        pairFeatures(memory, slot, other, settings.decayDays, features);
        decided.push({ features, isTrue: clusterOf[other] === item.cluster });
      }
    } else {
      for (const { story, features } of engine.consider(slot).slice(0, 8)) {
        decided.push({ features, isTrue: storyOfCluster.get(item.cluster) === story });
      }
    }
    for (const example of decided) {
      examples.push({ ...example, weight: 1 / (items.length * Math.max(4, decided.length)) });
    }
    const story = storyOfCluster.get(item.cluster);
    if (story === undefined) storyOfCluster.set(item.cluster, engine.found(slot, false));
    else engine.put(slot, story);
    engine.publish(slot);
  }
  return examples;
}

const asRecord = (names: readonly string[], weights: Float64Array) =>
  Object.fromEntries(names.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(4))]));

/** Pairs first, then stories by what the pairs say. */
export function train(files: StoryFiles, sets: readonly (readonly LabelledItem[])[]): StoryFiles {
  const scale = 4000;
  const fit = (of: 'pair' | 'story', from: StoryFiles, ridge: number) => {
    const examples = sets.flatMap((items) => collect(from, items, of));
    const scaled = examples.map((e) => ({ ...e, weight: (e.weight * scale) / sets.length }));
    return fitLogistic(scaled, ridge);
  };
  const pair = asRecord(pairFeatureNames, fit('pair', files, 0.5));
  const withPairs = { ...files, weights: { ...files.weights, pair } };
  const story = asRecord(storyFeatureNames, fit('story', withPairs, 0.5));
  return { ...files, weights: { pair, story } };
}

/** The set run through the engine as it would be, and scored. */
export function evaluate(files: StoryFiles, items: readonly LabelledItem[]): Score {
  const engine = openEngine(openStoryRules(files));
  for (const item of items) engine.add(item);
  engine.repair(true);
  const stories = new Map(engine.assigned().map(({ id, story }) => [id, story]));
  return scoreAssignment(
    items.map(({ id, cluster }) => ({ cluster, story: stories.get(id) ?? id })),
  );
}

export function line(name: string, { bcubed, pairwise, stories, largest }: Score): string {
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
      `${JSON.stringify(trained.weights, null, 2)}\n`,
    );
  } else console.log(JSON.stringify(trained.weights));
  for (const [path, items] of sets) console.log(line(nameOf(path), evaluate(trained, items)));
}

if (import.meta.main) await main(process.argv.slice(2));
