// Measures the read model: building it, changing it, reading pages and searching, at 2,000 and at
// 100,000 items. To run only this benchmark: `bin/node24 bench/read-model.ts`.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../src/kernel/crypto/random.ts';
import type { PublicItem } from '../src/radar/publication/item.ts';
import { applyChanges } from '../src/radar/publication/read-model/apply-changes.ts';
import { buildReadModel } from '../src/radar/publication/read-model/build-read-model.ts';
import { type ItemPageQuery, pageOf } from '../src/radar/publication/read-model/page.ts';
import type { ReadModel } from '../src/radar/publication/read-model/read-model.ts';
import { type BenchWords, benchItem, benchItems, benchWords } from './read-model-items.ts';
import { pageQueryOf, type QueryKind, queryKinds, searchOf } from './read-model-queries.ts';
import { type BenchRow, rowsAsTable } from './row.ts';

const seed = 20_260_923;
const now = Date.UTC(2026, 8, 23, 12);
const readGoal = { atMost: 15 };

export async function benchReadModel(): Promise<BenchRow[]> {
  const words = benchWords(seed);
  return [...(await benchSize(2000, words)), ...(await benchSize(100_000, words))];
}

type Bench = {
  readonly label: string;
  readonly words: BenchWords;
  readonly items: readonly PublicItem[];
  readonly model: ReadModel;
};

async function benchSize(count: number, words: BenchWords): Promise<BenchRow[]> {
  const label = `${count.toLocaleString('en')} items`;
  const initialMb = await measureUsedMb();
  const items = benchItems(count, now, words);
  const itemsMb = await measureUsedMb();
  const build = await measureTime(() => buildReadModel(1, items, now));
  const model = build.result;
  const modelMb = (await measureUsedMb()) - itemsMb;
  const bench = { label, words, items, model };
  return [
    { name: `${label}: build`, value: build.ms, unit: 'ms', goal: { atMost: 2000 } },
    {
      name: `${label}: longest block of the event loop while building`,
      value: quantile(build.blocksMs, 1),
      unit: 'ms',
      note: `collector included; p99 ${quantile(build.blocksMs, 0.99).toFixed(1)} ms`,
    },
    {
      name: `${label}: memory of the read model and its search`,
      value: modelMb,
      unit: 'MB',
      note: `besides ${(itemsMb - initialMb).toFixed(0)} MB of items`,
    },
    ...benchApply(bench),
    ...benchPages(bench),
    ...benchSearch(bench),
    ...(await benchUnderChange(bench)),
  ];
}

function benchApply({ label, words, items, model }: Bench): BenchRow[] {
  const random = seededRandom(seed);
  const benchChanges = (changeCount: number): BenchRow => {
    let changedModel = model;
    const times = Array.from({ length: 200 }, (_, round) => {
      const upserts = Array.from({ length: changeCount }, (_, index) =>
        benchItem(items.length + round * changeCount + index, random, now, words),
      );
      const start = performance.now();
      changedModel = applyChanges(changedModel, { version: round, upserts, removals: [] }, now);
      return performance.now() - start;
    });
    const note = `p50 ${quantile(times, 0.5).toFixed(2)} ms`;
    const name = `${label}: apply ${changeCount} changed, p99`;
    const figure = { name, value: quantile(times, 0.99), unit: 'ms', note };
    return changeCount === 1 ? { ...figure, goal: { atMost: 20 } } : figure;
  };
  return [benchChanges(1), benchChanges(100)];
}

function benchPages({ label, items, model }: Bench): BenchRow[] {
  const random = seededRandom(seed);
  const queries = Array.from({ length: 20_000 }, () => pageQueryOf(random, items, null));
  const times = queries.map((query) => timeQuery(model, query)).slice(1000);
  const note = describeTimes(times, 3);
  return [
    {
      name: `${label}: a page, p99`,
      value: quantile(times, 0.99),
      unit: 'ms',
      goal: readGoal,
      note,
    },
  ];
}

function benchSearch({ label, words, items, model }: Bench): BenchRow[] {
  const random = seededRandom(seed);
  const kinds = queryKinds(random, words, items);
  const allTimes: number[] = [];
  const slowest = { name: '', p99: 0 };
  for (const round of [0, 1]) {
    for (const kind of kinds) {
      const queries = Array.from({ length: 300 }, () => pageQueryOf(random, items, searchOf(kind)));
      const times = queries.map((query) => timeQuery(model, query));
      // The first round is the warm-up.
      if (round === 0) continue;
      allTimes.push(...times);
      if (quantile(times, 0.99) > slowest.p99) {
        Object.assign(slowest, { name: kind.name, p99: quantile(times, 0.99) });
      }
    }
  }
  const note = describeTimes(allTimes, 2);
  return [
    {
      name: `${label}: a search, p99`,
      value: quantile(allTimes, 0.99),
      unit: 'ms',
      goal: readGoal,
      note,
    },
    {
      name: `${label}: the slowest kind of search, p99`,
      value: slowest.p99,
      unit: 'ms',
      goal: readGoal,
      note: slowest.name,
    },
  ];
}

/**
 * Pages and searches arrive every 5 ms while a read model with 20 changes is applied every second.
 */
async function benchUnderChange({ label, words, items, model }: Bench): Promise<BenchRow[]> {
  const random = seededRandom(seed);
  const kinds = queryKinds(random, words, items);
  const createQuery = (kind: QueryKind | undefined) =>
    pageQueryOf(random, items, kind === undefined ? null : searchOf(kind));
  const rounds = Array.from({ length: 8 }, (_, round) => ({
    version: 2 + round,
    upserts: Array.from({ length: 20 }, (_, index) =>
      benchItem(2 * items.length + round * 20 + index, random, now, words),
    ),
    removals: items.slice(round * 20, round * 20 + 20).map(({ id }) => id),
  }));
  const requests = Array.from({ length: 1600 }, (_, tick) =>
    createQuery(kinds[tick % (kinds.length + 1)]),
  );
  let current = model;
  const times: number[] = [];
  const start = performance.now();
  for (const [tick, request] of requests.entries()) {
    const dueAt = start + tick * 5;
    const waitMs = Math.ceil(dueAt - performance.now());
    if (waitMs > 0) await setTimeout(waitMs);
    const changes = tick % 200 === 100 ? rounds.shift() : undefined;
    if (changes !== undefined) current = applyChanges(current, changes, now);
    pageOf(current, request, now);
    times.push(performance.now() - dueAt);
  }
  const note = describeTimes(times, 2);
  const name = `${label}: reads while a read model is published every second, with waiting, p99`;
  return [{ name, value: quantile(times, 0.99), unit: 'ms', goal: readGoal, note }];
}

function timeQuery(model: ReadModel, query: ItemPageQuery): number {
  const start = performance.now();
  pageOf(model, query, now);
  return performance.now() - start;
}

function describeTimes(times: readonly number[], digits: number): string {
  const [p50, worst] = [quantile(times, 0.5), quantile(times, 1)];
  return `p50 ${p50.toFixed(digits)} ms, worst ${worst.toFixed(1)} ms`;
}

/** The quantile of the values at `share`. */
function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function measureTime<T>(work: () => Promise<T>) {
  let isWorkOver = false;
  const blocksMs: number[] = [];
  const start = performance.now();
  const recordBlocks = async () => {
    for (let lastAt = start; !isWorkOver; ) {
      await setImmediate();
      blocksMs.push(performance.now() - lastAt);
      lastAt = performance.now();
    }
  };
  const recording = recordBlocks();
  const result = await work();
  const ms = performance.now() - start;
  isWorkOver = true;
  await recording;
  return { result, ms, blocksMs };
}

async function measureUsedMb(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let times = 0; times < 3; times++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

if (import.meta.main) console.log(rowsAsTable(await benchReadModel()));
