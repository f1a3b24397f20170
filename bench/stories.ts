// Measures the story engine with 100,000 live items: `bin/node24 bench/stories.ts`.
// Measures its scores on labelled sets, one .jsonl file each, in file order and in shuffled order:
// `bin/node24 bench/stories.ts --sets <folder or file> …`.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../src/kernel/crypto/random.ts';
import { HOUR_MS } from '../src/kernel/time/durations.ts';
import { openEngine } from '../src/radar/stories/clustering/engine.ts';
import type { StoryItem } from '../src/radar/stories/clustering/story-item.ts';
import { assignAll } from '../src/radar/stories/evaluation/assign-all.ts';
import type { StoryRules } from '../src/radar/stories/rules/open-rules.ts';
import { readStoryRules } from '../src/radar/stories/rules/read-story-rules.ts';
import { type BenchRow, rowsAsTable } from './row.ts';
import { scoreAssignment } from './score-stories.ts';
import { type LabelledItem, readLabelled } from './train-stories.ts';

const liveItems = 100_000;
const addedItems = 3_000;
const days = 30;
const startMs = Date.UTC(2026, 8, 1);

export async function benchStories(): Promise<BenchRow[]> {
  const rules = await readStoryRules('editorial');
  const mbBefore = await measureUsedMb();
  let features = makeFeatures(rules);
  const engine = openEngine(rules);
  const stream = benchStream(liveItems + addedItems);
  let restoreMs = 0;
  let addMs = 0;
  let position = 0;
  for (const { item, event } of stream) {
    const startedMs = processorMs();
    if (position < liveItems) engine.restore(item, event, features[position]);
    else engine.add(item);
    const spentMs = processorMs() - startedMs;
    if (position < liveItems) restoreMs += spentMs;
    else addMs += spentMs;
    position += 1;
  }
  features = [];
  const memory = (await measureUsedMb()) - mbBefore;
  // The engine is used here once more. Otherwise the garbage collector could free its memory before
  // the measurement above.
  const itemCount = `${engine.assigned().length.toLocaleString('en')} items in stories`;
  const baseline = `a sort of a million numbers took ${measureSortMs().toFixed(0)} ms`;
  const note = `${liveItems.toLocaleString('en')} live items of ${days} days; ${baseline}`;
  return [
    {
      name: 'stories: restored at start',
      value: restoreMs / 1000,
      unit: 's',
      goal: { atMost: 10 },
      note,
    },
    {
      name: 'stories: items decided',
      value: (addedItems / addMs) * 1000,
      unit: 'items/s',
      goal: { atLeast: 500 },
      note,
    },
    {
      name: 'stories: memory',
      value: memory,
      unit: 'MB',
      goal: { atMost: 300 },
      note: itemCount,
    },
  ];
}

/** Processor time of all threads, ms. It does not include other programs. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the speed of the machine: the median of five sorts of the same numbers. */
function measureSortMs(): number {
  const { next } = seededRandom(1);
  const numbers = Float64Array.from({ length: 1_000_000 }, next);
  const times = Array.from({ length: 5 }, () => {
    const copy = numbers.slice();
    const startedMs = processorMs();
    copy.sort();
    return processorMs() - startedMs;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

/** The features of all live items, computed by an engine from their texts. */
function makeFeatures(rules: StoryRules): readonly Uint8Array[] {
  const engine = openEngine(rules);
  return Array.from(benchStream(liveItems), ({ item, event }) => {
    engine.restore(item, event);
    return engine.featuresOf(item.id) ?? new Uint8Array();
  });
}

/**
 * Generates items. Word frequencies are 1/rank, as in a language; an event has about two reports.
 */
export function* benchStream(
  count: number,
): Generator<{ readonly item: StoryItem; readonly event: string }> {
  const random = seededRandom(20_260_924);
  const nextRandom = random.next;
  const randomBelow = (bound: number) => Math.floor(nextRandom() * bound);
  const randomWord = () =>
    `${syllables[randomBelow(40)]}${Math.floor(60_000 ** nextRandom()).toString(36)}`;
  const createWords = (length: number) => Array.from({ length }, randomWord);
  type Event = {
    readonly id: string;
    readonly title: readonly string[];
    readonly lead: readonly string[];
  };
  const recent: Event[] = [];
  for (let index = 0; index < count; index += 1) {
    const recentEvent = recent[randomBelow(recent.length)];
    const isNew = recentEvent === undefined || nextRandom() < 0.55;
    const event = isNew
      ? { id: `e${index}`, title: createWords(8), lead: createWords(50) }
      : recentEvent;
    if (isNew) recent.push(event);
    if (recent.length > 400) recent.shift();
    const replaceSome = (list: readonly string[]) =>
      list.map((term) => (nextRandom() < 0.6 ? term : randomWord()));
    const title = replaceSome(event.title);
    const [name = 'none', ...otherWords] = title;
    yield {
      event: event.id,
      item: {
        id: `i${index}`,
        timeMs: startMs + Math.round((index / count) * days * 24) * HOUR_MS,
        lang: 'en',
        title: [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, ...otherWords].join(' '),
        text: `${replaceSome(event.lead).join(' ')}.`,
      },
    };
  }
}

const syllables = (
  'ba be bo ca ce co da de do fa fe fo ga ge go ha he ho la le ' +
  'lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va'
).split(' ');

async function measureUsedMb(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Memory of the previous engine, mainly buffers, is freed slightly later.
  for (let times = 0; times < 3; times += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

/** Changes the order at random: each item arrives up to six hours late. */
function shuffle(items: readonly LabelledItem[]): readonly LabelledItem[] {
  const random = seededRandom(7);
  const arrivalOf = new Map(
    items.map((item, index) => {
      const delayMs = random.next() * 6 * HOUR_MS;
      return [item, item.timeMs === null ? index : item.timeMs + delayMs];
    }),
  );
  return [...items].sort((a, b) => (arrivalOf.get(a) ?? 0) - (arrivalOf.get(b) ?? 0));
}

function scoreItems(rules: StoryRules, items: readonly LabelledItem[]) {
  const stories = new Map(assignAll(rules, items).map(({ id, story }) => [id, story]));
  return scoreAssignment(
    items.map(({ id, cluster }) => ({ cluster, story: stories.get(id) ?? id })),
  );
}

async function scoreSets(paths: readonly string[]): Promise<void> {
  const rules = await readStoryRules('editorial');
  const formatScore = (value: number) => value.toFixed(3);
  console.log(
    '| set | items | BCubed F1 | pairwise F1 | largest story (purity) | arrival shuffled |',
  );
  console.log('|---|---:|---:|---:|---:|---:|');
  for (const path of paths) {
    const items = await readLabelled(path);
    const { bcubed, pairwise, largest } = scoreItems(rules, items);
    const isTimed = items.every(({ timeMs }) => timeMs !== null);
    const f1Change = isTimed
      ? formatScore(scoreItems(rules, shuffle(items)).bcubed.f1 - bcubed.f1)
      : 'no times';
    const name = path.replace(/^.*\//u, '').replace(/\.jsonl$/u, '');
    const size = `${largest.size} (${formatScore(largest.purity)})`;
    console.log(
      `| ${name} | ${items.length} | ${formatScore(bcubed.f1)} | ${formatScore(pairwise.f1)} ` +
        `| ${size} | ${f1Change} |`,
    );
  }
}

async function listSets(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const files = await readdir(path);
  return files
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => join(path, file));
}

if (import.meta.main) {
  const [flag, ...paths] = process.argv.slice(2);
  if (flag === '--sets') await scoreSets((await Promise.all(paths.map(listSets))).flat());
  else console.log(rowsAsTable(await benchStories()));
}
