// Measures the slowest responses and their causes. Cached pages are compared with nginx, as fast as
// possible and at a constant rate, while a read model is published every five seconds. Uncached
// pages and searches are requested from a radar with 100,000 items. `npm run bench -- tail` runs
// all slices: `tail:cached`, `tail:uncached` and `tail:gateway`. `tail:gzip`, `tail:br` and
// `tail:304` each measure one form of cached pages.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTool } from '../tests/support/tools.ts';
import { openBenchNginx } from './feed/bench-nginx.ts';
import { type BenchRadar, openBenchRadar } from './feed/bench-radar.ts';
import { type BenchRequest, type LoadResult, measure, type Target } from './feed/load.ts';
import { fetchSmallestResponses, listPages, readTags } from './feed.ts';
import { benchWords } from './read-model-items.ts';
import { type BenchRow, isSelected, median, type Slices } from './row.ts';
import { blockRows } from './tail/block-rows.ts';
import { benchGatewayTail } from './tail/gateway.ts';
import {
  CONNECTIONS,
  listPathsWithCursors,
  loadAtRate,
  loadUncached,
} from './tail/load-at-rate.ts';
import { openPlainItems } from './tail/plain-items.ts';
import type { RateResult } from './tail/rate-load.ts';
import { makeUncachedPaths, openClient, quantile } from './uncached.ts';

const ITEMS = { cached: 20_000, uncached: 100_000 };
const READ_MODEL_EVERY_MS = 5_000;
/**
 * Rounds of the radar and nginx alternate: other machines on the same processor slow some rounds.
 */
const ROUNDS = 7;
const UNCACHED_ROUNDS = 5;
const SECONDS = 5;
/** Above this rate the client with a constant rate uses its whole core. */
const MAX_RATE_PER_SECOND = 5_000;
const cachedGoal = { atMost: 3 };
const uncachedGoal = { atMost: 8 };

export async function benchTail({ selected, report }: Slices): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const addRows = (added: readonly BenchRow[]) => {
    rows.push(...added);
    for (const row of added) report(row);
  };
  const forms = isSelected(selected, 'cached')
    ? cachedForms
    : cachedForms.filter((form) => selected.includes(form));
  if (forms.length > 0) await benchCached(addRows, forms);
  if (isSelected(selected, 'uncached')) await benchUncachedTail(addRows);
  if (isSelected(selected, 'gateway')) await benchGatewayTail(addRows);
  return rows;
}

type AddRows = (rows: readonly BenchRow[]) => void;

const cachedForms = ['gzip', 'br', '304'] as const;
type CachedForm = (typeof cachedForms)[number];

async function benchCached(addRows: AddRows, forms: readonly CachedForm[]): Promise<void> {
  const [wrk, nginx] = [requireTool('wrk'), requireTool('nginx')];
  if (wrk.kind !== 'found' || nginx.kind !== 'found') {
    const note = 'not measured: wrk or nginx is missing';
    return addRows([{ name: 'cached page, p99', value: Number.NaN, unit: 'ms', note }]);
  }
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-tail-'));
  // nginx drops root's rights before it reads its files.
  chmodSync(folder, 0o755);
  const radar = await openBenchRadar(ITEMS.cached, benchWords(7));
  try {
    const paths = await listPages(radar.url);
    const server = await openBenchNginx(
      nginx.path,
      folder,
      await fetchSmallestResponses(radar, paths),
    );
    try {
      for (const form of forms) {
        const withTags = async (target: Target, requests: readonly string[]) => {
          const tags = form === '304' ? await readTags(target.url, requests) : [];
          return requests.map((path, n): BenchRequest => {
            const etag = tags[n];
            return etag === undefined ? { path } : { path, etag };
          });
        };
        const radarTarget = { name: 'radar', url: radar.url, pid: radar.pid };
        const nginxTarget = { name: 'nginx', url: server.url, pid: server.pid };
        const nginxPaths = paths.map((_, n) => (form === 'br' ? `/br/${n}.json` : `/${n}.json`));
        const coding = form === 'br' ? 'br' : 'gzip';
        const load = async (target: Target, requests: readonly BenchRequest[], seconds: number) =>
          measure(target, { wrk: wrk.path, seconds, acceptEncoding: coding, requests, folder });
        const loadAtConstantRate = async (
          target: Target,
          requests: readonly BenchRequest[],
          rate: number,
        ) => {
          const file = join(folder, `${target.name}-rate.txt`);
          const lines = requests.map(({ path, etag = '' }) => `${path}\t${etag}`);
          writeFileSync(file, lines.join('\n'));
          const plan = { rate, seconds: SECONDS, acceptEncoding: coding, repeats: true } as const;
          return loadAtRate({ ...plan, origin: target.url, file });
        };
        const radarRequests = await withTags(radarTarget, paths);
        const nginxRequests = await withTags(nginxTarget, nginxPaths);
        const writer = setInterval(
          () => radar.publish(form === '304' ? 'unselected' : 'any'),
          READ_MODEL_EVERY_MS,
        );
        try {
          await load(radarTarget, radarRequests, 4);
          const radarResults: LoadResult[] = [];
          const nginxResults: LoadResult[] = [];
          for (let round = 0; round < ROUNDS; round += 1) {
            radarResults.push(await load(radarTarget, radarRequests, SECONDS));
            nginxResults.push(await load(nginxTarget, nginxRequests, SECONDS));
          }
          addRows(cachedRows(form, radarResults, nginxResults));
          const maximum = Math.min(
            median(radarResults.map(({ perSecond }) => perSecond)),
            median(nginxResults.map(({ perSecond }) => perSecond)),
          );
          const rate = Math.min(MAX_RATE_PER_SECOND, Math.round(maximum / 2));
          const radarAtHalf: RateResult[] = [];
          const nginxAtHalf: RateResult[] = [];
          const blocks = await radar.recordBlocks(async () => {
            for (let round = 0; round < ROUNDS; round += 1) {
              radarAtHalf.push(await loadAtConstantRate(radarTarget, radarRequests, rate));
              nginxAtHalf.push(await loadAtConstantRate(nginxTarget, nginxRequests, rate));
            }
          });
          addRows(halfRateRows(form, rate, radarAtHalf, nginxAtHalf));
          addRows(blockRows(`cached page, ${form}`, blocks));
        } finally {
          clearInterval(writer);
        }
      }
    } finally {
      server.close();
    }
  } finally {
    await radar.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The p99 of each round, the median of the p50 of all rounds, and the longest response. */
function describeTail(results: readonly (LoadResult | RateResult)[]): string {
  const rounds = results.map(({ p99Ms }) => p99Ms.toFixed(1)).join(', ');
  const p50 = median(results.map(({ p50Ms }) => p50Ms)).toFixed(2);
  const worst = Math.max(...results.map(({ maxMs }) => maxMs)).toFixed(1);
  return `rounds ${rounds}; p50 ${p50}, worst ${worst} ms`;
}

function cachedRows(
  form: string,
  radarResults: readonly LoadResult[],
  nginxResults: readonly LoadResult[],
): readonly BenchRow[] {
  const throughput = (results: readonly LoadResult[]) =>
    `${thousands(median(results.map(({ perSecond }) => perSecond)))} requests/s, ` +
    `${thousands(median(results.map(({ perCpuSecond }) => perCpuSecond)))} a second of processor ` +
    'time';
  return tailRows(
    `cached page, ${form}, as fast as possible`,
    [radarResults, `${describeTail(radarResults)}; ${throughput(radarResults)}`],
    [nginxResults, `${describeTail(nginxResults)}; ${throughput(nginxResults)}`],
  );
}

function halfRateRows(
  form: string,
  rate: number,
  radarResults: readonly RateResult[],
  nginxResults: readonly RateResult[],
): readonly BenchRow[] {
  return tailRows(
    `cached page, ${form}, at a constant rate`,
    [radarResults, `${rate} requests/s, ${CONNECTIONS} connections; ${describeTail(radarResults)}`],
    [nginxResults, describeTail(nginxResults)],
  );
}

type TargetResults = readonly [results: readonly { readonly p99Ms: number }[], note: string];

function tailRows(
  name: string,
  radarResults: TargetResults,
  nginxResults: TargetResults,
): readonly BenchRow[] {
  const p99 = ([results]: TargetResults) => median(results.map(({ p99Ms }) => p99Ms));
  return [
    {
      name: `${name}: p99 while a read model is published every 5 s`,
      value: p99(radarResults),
      unit: 'ms',
      goal: cachedGoal,
      note: radarResults[1],
    },
    {
      name: `${name}: p99 against nginx`,
      value: medianRatio(radarResults[0], nginxResults[0]),
      unit: '×',
      goal: { atMost: 2 },
      note: `nginx: p99 ${p99(nginxResults).toFixed(1)} ms, ${nginxResults[1]}`,
    },
  ];
}

/**
 * The median of the ratios of neighbouring rounds. A ratio of medians would compare rounds of
 * different minutes, and the p99 of nginx varies from 1 to 40 ms on shared processors.
 */
const medianRatio = (
  results: readonly { readonly p99Ms: number }[],
  baseline: readonly { readonly p99Ms: number }[],
): number => median(results.map(({ p99Ms }, round) => p99Ms / (baseline[round]?.p99Ms ?? 0)));

const thousands = (value: number) => `${(value / 1_000).toFixed(1)}k`;

async function benchUncachedTail(addRows: AddRows): Promise<void> {
  const words = benchWords(7);
  const radar = await openBenchRadar(ITEMS.uncached, words);
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-tail-'));
  const writer = setInterval(() => radar.publish('any'), 1_000);
  try {
    const { firstPage, searches } = makeUncachedPaths(words, radar.items, 40_000);
    const client = openClient(radar.url);
    await client.times(searches.splice(0, 300));
    const pages = await client.pageTimes(firstPage, 1_500);
    const searchTimes = await client.times(searches.splice(0, 1_500));
    client.close();
    const deep = await listPathsWithCursors(radar.url, firstPage);
    const row = (name: string, times: readonly number[]): BenchRow => ({
      name: `100,000 items: ${name}, one connection, p99`,
      value: quantile(times, 0.99),
      unit: 'ms',
      goal: uncachedGoal,
      note: `p50 ${quantile(times, 0.5).toFixed(2)} ms, worst ${quantile(times, 1).toFixed(1)} ms`,
    });
    addRows([row('an uncached page', pages), row('an uncached search', searchTimes)]);
    const plain = await openPlainItems(folder, radar.items);
    try {
      for (const [name, paths] of [
        ['an uncached page', deep],
        ['an uncached search', searches],
      ] as const) {
        addRows(await uncachedRateRows(name, { radar, plainUrl: plain.url, paths, folder }));
      }
    } finally {
      plain.close();
    }
  } finally {
    clearInterval(writer);
    await radar.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type UncachedTargets = {
  readonly radar: BenchRadar;
  readonly plainUrl: string;
  readonly paths: readonly string[];
  readonly folder: string;
};

/**
 * The radar and a plain server alternate at half of the radar's maximum. The plain server shows how
 * much of p99 the machine causes. It does not search: every response is a page of the requested
 * length.
 */
async function uncachedRateRows(
  name: string,
  { radar, plainUrl, paths, folder }: UncachedTargets,
): Promise<readonly BenchRow[]> {
  let usedPaths = 0;
  const load = async (rate: 'max' | number, seconds: number): Promise<RateResult> => {
    const file = join(folder, 'paths.txt');
    writeFileSync(file, paths.slice(usedPaths).join('\n'));
    const result = await loadUncached(radar.url, file, rate, seconds);
    usedPaths += Math.ceil(result.perSecond * seconds) + CONNECTIONS;
    return result;
  };
  await load('max', 1);
  const maxLoads: RateResult[] = [];
  const radarAtHalf: RateResult[] = [];
  const plainAtHalf: RateResult[] = [];
  const plainFile = join(folder, 'plain-paths.txt');
  writeFileSync(plainFile, paths.join('\n'));
  // No path repeats, so the paths are divided among the rounds and the recorded load after them.
  const pathsOfRound = Math.floor((paths.length - usedPaths) / (UNCACHED_ROUNDS + 1));
  let rate = 0;
  let seconds = 0;
  for (let round = 0; round < UNCACHED_ROUNDS; round += 1) {
    const usedBefore = usedPaths;
    // The speed of memory changes within seconds, so each round has a maximum of its own.
    const maxLoad = await load('max', 1.5);
    rate = Math.round(maxLoad.perSecond / 2);
    seconds = Math.min(2, (pathsOfRound - (usedPaths - usedBefore) - CONNECTIONS) / rate);
    radarAtHalf.push(await load(rate, seconds));
    plainAtHalf.push(await loadUncached(plainUrl, plainFile, rate, seconds));
    maxLoads.push(maxLoad);
  }
  const blocks = await radar.recordBlocks(async () => {
    await load(rate, seconds);
  });
  const maxRates = maxLoads.map(({ perSecond }) => Math.round(perSecond));
  const p99 = (results: readonly RateResult[]) => median(results.map(({ p99Ms }) => p99Ms));
  const label = `100,000 items: ${name}, at half the maximum rate, p99`;
  return [
    {
      name: label,
      value: p99(radarAtHalf),
      unit: 'ms',
      goal: uncachedGoal,
      note:
        `${CONNECTIONS} connections; ${describeTail(radarAtHalf)}; as fast as possible ` +
        `${maxRates.join(', ')} requests/s, p99 ${p99(maxLoads).toFixed(1)} ms`,
    },
    {
      name: `${label} against a plain server of items`,
      value: medianRatio(radarAtHalf, plainAtHalf),
      unit: '×',
      note: `plain: p99 ${p99(plainAtHalf).toFixed(1)} ms, ${describeTail(plainAtHalf)}`,
    },
    ...blockRows(name, blocks),
  ];
}
