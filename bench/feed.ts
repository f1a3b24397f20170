// Measures cached pages of fifty items against nginx, which serves the same bytes as static files.
// Both use one core; the radar publishes a read model every five seconds. To run only this file:
// `bin/node24 bench/feed.ts [--short] [gzip] [br] [304]`.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { requireTool } from '../tests/support/tools.ts';
import { type BenchNginx, openBenchNginx, type StaticResponse } from './feed/bench-nginx.ts';
import { type BenchRadar, openBenchRadar } from './feed/bench-radar.ts';
import {
  type BenchRequest,
  type Load,
  type LoadResult,
  measure,
  type Target,
} from './feed/load.ts';
import { benchWords } from './read-model-items.ts';
import { type BenchRow, rowsAsTable } from './row.ts';
import { startNodeServer } from './start-node-server.ts';

const ITEMS = 20_000;
const PAGE_COUNT = 200;
const READ_MODEL_EVERY_MS = 5_000;

type LoadPlan = {
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUpSeconds: number;
};
const fullPlan: LoadPlan = { seconds: 5, rounds: 3, warmUpSeconds: 5 };
const shortPlan: LoadPlan = { seconds: 2, rounds: 2, warmUpSeconds: 2 };

const goals = {
  plain: { 200: { atLeast: 0.85 }, 304: { atLeast: 0.75 } },
  cached: { 200: { atLeast: 0.7 }, 304: { atLeast: 0.55 } },
} as const;

const forms: readonly Form[] = [
  { name: 'gzip', coding: 'gzip', status: 200 },
  { name: 'br', coding: 'br', status: 200 },
  { name: '304', coding: 'gzip', status: 304 },
];

export async function benchFeed(plan = fullPlan, selectedForms = forms): Promise<BenchRow[]> {
  const [wrk, nginx] = [requireTool('wrk'), requireTool('nginx')];
  if (wrk.kind !== 'found' || nginx.kind !== 'found' || !existsSync('/usr/bin/taskset')) {
    const note = 'not measured: wrk, nginx or taskset is missing';
    return [{ name: 'cached pages against nginx', value: Number.NaN, unit: '×', note }];
  }
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-nginx-'));
  // nginx drops root's rights before it reads its files.
  chmodSync(folder, 0o755);
  const radar = await openBenchRadar(ITEMS, benchWords(7));
  try {
    const paths = await listPages(radar.url);
    const responses = await fetchSmallestResponses(radar, paths);
    const nginxServer = await openBenchNginx(nginx.path, folder, responses);
    try {
      const bench = { radar, nginx: nginxServer, paths, responses, wrk: wrk.path, folder, plan };
      return await benchAll(bench, selectedForms);
    } finally {
      nginxServer.close();
    }
  } finally {
    await radar.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Bench = {
  readonly radar: BenchRadar;
  readonly nginx: BenchNginx;
  readonly paths: readonly string[];
  readonly responses: readonly StaticResponse[];
  readonly wrk: string;
  readonly folder: string;
  readonly plan: LoadPlan;
};

type Form = { readonly name: string; readonly coding: 'gzip' | 'br'; readonly status: 200 | 304 };

async function benchAll(bench: Bench, selectedForms: readonly Form[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const form of selectedForms) {
    const bareNode = await startBareNode(form, bench.responses);
    try {
      rows.push(...(await benchForm(bench, form, bareNode)));
    } finally {
      bareNode.close();
    }
  }
  return rows;
}

async function benchForm(bench: Bench, form: Form, bareNode: Target): Promise<BenchRow[]> {
  const { radar, nginx: server, plan } = bench;
  const nginxTags = form.status === 304 ? await readTags(server.url, nginxPaths(bench, form)) : [];
  const fileRequests = nginxPaths(bench, form).map((path, index) =>
    requestOf(path, nginxTags[index]),
  );
  const cachedNginx = { name: 'nginx with open_file_cache', pid: server.pid };
  const nginx = { name: 'nginx', url: server.url, pid: server.pid };
  const targets: readonly (readonly [Target, readonly BenchRequest[]])[] = [
    [{ name: 'radar', url: radar.url, pid: radar.pid }, await radarRequests(bench, form)],
    [nginx, fileRequests],
    [{ ...cachedNginx, url: server.cachedUrl }, fileRequests],
    [bareNode, [{ path: '/' }]],
  ];
  const results = new Map<string, LoadResult[]>();
  const writerStop = new AbortController();
  const writer = publishEvery(radar, form, writerStop.signal);
  for (const [target, requests] of targets) {
    await measure(target, loadOf(bench, form, requests, plan.warmUpSeconds));
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [target, requests] of targets) {
      const measurement = await measure(target, loadOf(bench, form, requests, plan.seconds));
      checkBytes(form, target, measurement);
      results.set(target.name, [...(results.get(target.name) ?? []), measurement]);
    }
  }
  writerStop.abort();
  await writer;
  return rowsOf(form, results);
}

const requestOf = (path: string, etag: string | undefined): BenchRequest =>
  etag === undefined ? { path } : { path, etag };

const loadOf = (
  { wrk, folder }: Bench,
  form: Form,
  requests: readonly BenchRequest[],
  seconds: number,
): Load => ({
  wrk,
  seconds,
  acceptEncoding: form.coding,
  requests,
  folder,
});

async function radarRequests(
  { radar, paths }: Bench,
  form: Form,
): Promise<readonly BenchRequest[]> {
  const tags = form.status === 304 ? await readTags(radar.url, paths) : [];
  return paths.map((path, index) => requestOf(path, tags[index]));
}

const nginxPaths = ({ responses }: Bench, { coding }: Form) =>
  responses.map((_, index) => (coding === 'br' ? `/br/${index}.json` : `/${index}.json`));

/** A 304 has no body; a 200 has fifty items. */
function checkBytes(form: Form, { name }: Target, { bytesEach }: LoadResult): void {
  const isBodiless = bytesEach < 1_000;
  if (isBodiless !== (form.status === 304)) {
    throw new Error(`${name} sent ${bytesEach} bytes per response, expected ${form.name}`);
  }
}

/** For 304, only unselected items change, so that the measured pages keep their ETags. */
async function publishEvery(radar: BenchRadar, form: Form, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await radar.publish(form.status === 304 ? 'unselected' : 'any');
    await setTimeout(READ_MODEL_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

function rowsOf(form: Form, results: ReadonlyMap<string, readonly LoadResult[]>): BenchRow[] {
  const bestResult = (name: string) => bestOf(results.get(name) ?? []);
  const radar = bestResult('radar');
  const compareWith = (name: string, goal?: { readonly atLeast: number }): BenchRow => {
    const baseline = bestResult(name);
    const cpu = radar.perCpuSecond / baseline.perCpuSecond;
    return {
      name: `cached page, ${form.name}: radar against ${name}`,
      value: radar.perSecond / baseline.perSecond,
      unit: '×',
      ...(goal && { goal }),
      note:
        `${thousands(radar.perSecond)} and ${thousands(baseline.perSecond)} requests/s; by ` +
        `processor time ${cpu.toFixed(2)} × (${thousands(radar.perCpuSecond)} and ` +
        `${thousands(baseline.perCpuSecond)}); p99 ${radar.p99Ms} and ${baseline.p99Ms} ms; ` +
        `${Math.round(radar.bytesEach)} and ${Math.round(baseline.bytesEach)} bytes`,
    };
  };
  return [
    compareWith('nginx', goals.plain[form.status]),
    compareWith('nginx with open_file_cache', goals.cached[form.status]),
    compareWith('bare node:http'),
  ];
}

const thousands = (value: number) => `${(value / 1_000).toFixed(1)}k`;

function bestOf(results: readonly LoadResult[]): LoadResult {
  const bestBy = (pick: (result: LoadResult) => number) =>
    results.toSorted((a, b) => pick(b) - pick(a))[0];
  const fastest = bestBy((measurement) => measurement.perSecond);
  const cheapest = bestBy((measurement) => measurement.perCpuSecond);
  if (!fastest || !cheapest) throw new Error('nothing was measured');
  return { ...fastest, perCpuSecond: cheapest.perCpuSecond };
}

type Page = { readonly page: { readonly count: number; readonly nextCursor: string | null } };

/** Two hundred different pages of fifty items. New items change only pages without a cursor. */
export async function listPages(url: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const categories = ['', 'ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'];
  for (const by of ['timeline', 'published']) {
    for (const category of categories) {
      const base = `/api/v1/items?by=${by}${category && `&category=${category}`}`;
      const maxPages = category === '' ? 60 : 8;
      for (let path = base, index = 0; index < maxPages && paths.length < PAGE_COUNT; index += 1) {
        const { page } = (await (await fetch(url + path)).json()) as Page;
        if (page.count < 50 || page.nextCursor === null) break;
        paths.push(path);
        path = `${base}&cursor=${page.nextCursor}`;
      }
    }
  }
  if (paths.length < PAGE_COUNT) throw new Error(`only ${paths.length} pages of fifty items`);
  return paths;
}

type FetchedPage = { readonly body: Buffer; readonly etag: string };

/** The compressed body, which `fetch` would decompress. */
function getCompressed(url: string, headers: Record<string, string>): Promise<FetchedPage> {
  return new Promise((resolve, reject) => {
    const req = request(url, { headers }, async (res) => {
      const parts: Buffer[] = [];
      for await (const part of res) parts.push(part);
      resolve({ body: Buffer.concat(parts), etag: res.headers.etag ?? '' });
    });
    req.on('error', reject).end();
  });
}

/**
 * Fetches all pages again until two rounds have equal sizes. Every page then has its smallest
 * compressed form.
 */
export async function fetchSmallestResponses(radar: BenchRadar, paths: readonly string[]) {
  const fetchAll = (coding: string) =>
    Promise.all(
      paths.map((path) => getCompressed(radar.url + path, { 'accept-encoding': coding })),
    );
  let previousSize = -1;
  for (;;) {
    const [gzip, br] = [await fetchAll('gzip'), await fetchAll('br')];
    const size = [...gzip, ...br].reduce((sum, { body }) => sum + body.length, 0);
    if (size === previousSize) {
      return gzip.map(({ body }, index) => ({
        identity: gunzipSync(body),
        gzip: body,
        br: br[index]?.body ?? Buffer.alloc(0),
      }));
    }
    previousSize = size;
    await setTimeout(2_000);
  }
}

export async function readTags(url: string, paths: readonly string[]): Promise<readonly string[]> {
  const responses = await Promise.all(
    paths.map((path) => getCompressed(url + path, { 'accept-encoding': 'gzip' })),
  );
  return responses.map(({ etag }) => etag);
}

async function startBareNode(form: Form, responses: readonly StaticResponse[]) {
  const total = responses.reduce((sum, response) => sum + response[form.coding].length, 0);
  const size = String(Math.round(total / responses.length));
  const script = join(import.meta.dirname, 'bare-node.ts');
  const server = await startNodeServer(script, [String(form.status), size]);
  return { name: 'bare node:http', ...server };
}

if (import.meta.main) {
  const selectedForms = forms.filter(({ name }) => process.argv.includes(name));
  const plan = process.argv.includes('--short') ? shortPlan : fullPlan;
  console.log(
    rowsAsTable(await benchFeed(plan, selectedForms.length === 0 ? forms : selectedForms)),
  );
}
