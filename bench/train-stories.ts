// Learns the story engine's weights from labelled items and writes editorial/stories/weights.json.
// The items ({ id, time, lang, title, text?, cluster } per line) are given by their paths and stay
// where they are. Run: bin/node24 bench/train-stories.ts set.jsonl … [--held-out set.jsonl …]
// [--write]. With --held-out nothing is learned from those sets: their scores are honest.
import { readFile, writeFile } from 'node:fs/promises';
import type { Story } from '../src/radar/stories/board.ts';
import { findCandidates } from '../src/radar/stories/decide/find-candidates.ts';
import { pairFeatureNames, pairFeatures } from '../src/radar/stories/decide/pair-features.ts';
import { storyFeatureNames } from '../src/radar/stories/decide/story-features.ts';
import type { StoryFiles } from '../src/radar/stories/editorial.ts';
import { openEngine } from '../src/radar/stories/engine.ts';
import type { StoryItem } from '../src/radar/stories/item.ts';
import { openStoryRules } from '../src/radar/stories/open-rules.ts';
import { openParts, publish, take } from '../src/radar/stories/parts.ts';
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
  const parts = openParts(openStoryRules(files), []);
  const { memory, board, judge } = parts;
  const { settings } = files.rules;
  const storyOfCluster = new Map<string, Story>();
  const clusterOf: string[] = [];
  const examples: Example[] = [];
  for (const item of items) {
    const { slot } = take(parts, item);
    clusterOf[slot] = item.cluster;
    const { near, alike } = judge.consider(slot);
    const decided: { features: Float64Array; isTrue: boolean }[] = [];
    if (of === 'pair') {
      for (const other of findCandidates(memory, slot, settings.candidates, () => true)) {
        const features = new Float64Array(pairFeatureNames.length);
        pairFeatures(memory, slot, other, settings.decayDays, features);
        decided.push({ features, isTrue: clusterOf[other] === item.cluster });
      }
    } else {
      for (const { story, features } of near.slice(0, 8)) {
        decided.push({ features, isTrue: storyOfCluster.get(item.cluster) === story });
      }
    }
    for (const example of decided) {
      examples.push({ ...example, weight: 1 / (items.length * Math.max(4, decided.length)) });
    }
    const story = storyOfCluster.get(item.cluster);
    if (story === undefined) storyOfCluster.set(item.cluster, board.found(slot, false));
    else board.put(slot, story);
    publish(parts, slot, alike);
  }
  return examples;
}

const asRecord = (names: readonly string[], weights: Float64Array) =>
  Object.fromEntries(names.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(4))]));

/** Pairs first, then stories by what the pairs say. */
export function train(files: StoryFiles, sets: readonly (readonly LabelledItem[])[]): StoryFiles {
  const scale = 4000;
  const learn = (of: 'pair' | 'story', from: StoryFiles, ridge: number) => {
    const examples = sets.flatMap((items) => collect(from, items, of));
    const scaled = examples.map((e) => ({ ...e, weight: (e.weight * scale) / sets.length }));
    return fitLogistic(scaled, ridge);
  };
  // What is learned must not depend on the weights of before: the first round starts from none,
  // with every word counted; the second has pairs that tell which words were counted twice.
  const { rules } = files;
  const settings = { ...rules.settings, companionFrom: 99 };
  const bare = { ...files, rules: { ...rules, settings } };
  const first = asRecord(pairFeatureNames, learn('pair', bare, 0.5));
  const known = { ...files, weights: { ...files.weights, pair: first } };
  const pair = asRecord(pairFeatureNames, learn('pair', known, 0.5));
  const withPairs = { ...files, weights: { ...files.weights, pair } };
  const story = asRecord(storyFeatureNames, learn('story', withPairs, 0.5));
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
