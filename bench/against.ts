// Compares this tree with a commit. Each round measures reads and charges of both versions.
// `npm run bench -- --against <commit>`; `against/against-options.ts` has the help.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTool } from '../tests/support/tools.ts';
import type { AgainstOptions, AgainstPart } from './against/against-options.ts';
import { alternatePair, type Comparison, formatComparison } from './against/compare-rounds.ts';
import { describeTree, extractCommit } from './against/extract-commit.ts';
import type { ChargeReply, ChargeRequest } from './against/serve-charges.ts';
import type { RadarReady } from './against/serve-radar.ts';
import { startVersion } from './against/version-process.ts';
import { type BenchRequest, cpuSeconds, measure } from './feed/load.ts';
import { listPages, readTags } from './feed.ts';
import { benchItems, benchWords } from './read-model-items.ts';
import { rowAsLine, rowsAsTable } from './row.ts';
import { openCaller, startGatewayNode } from './tail/gateway-node.ts';
import { listPathsWithCursors, loadUncached } from './tail/load-at-rate.ts';
import { makeUncachedPaths, quantile } from './uncached.ts';

const ITEMS = { cached: 20_000, uncached: 100_000 };
const CALLERS = 64;
const thisTree = join(import.meta.dirname, '..');

/** Values of both versions for one row. */
type Pair<T> = readonly [before: T, after: T];

type AgainstContext = {
  readonly roots: Pair<string>;
  readonly rounds: number;
  readonly folder: string;
  readonly wrk: string;
  addRows(...rows: readonly Comparison[]): void;
  progress(text: string): void;
};

const partBenches: Readonly<Record<AgainstPart, (context: AgainstContext) => Promise<void>>> = {
  cached: compareCached,
  uncached: compareUncached,
  charge: compareCharges,
  call: compareCalls,
};

export async function benchAgainst({ commit, rounds, parts: selected }: AgainstOptions) {
  const wrk = requireTool('wrk');
  if (wrk.kind !== 'found' || !existsSync('/usr/bin/taskset')) {
    throw new Error('the comparison needs wrk and taskset (Debian: wrk, util-linux)');
  }
  const tree = describeTree(thisTree, commit);
  const extracted = extractCommit(thisTree, commit);
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-load-'));
  // Also removes the folders after an interrupt. The processes of both versions then end too.
  const remove = () => {
    extracted.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  console.log(`before: ${extracted.label}`);
  const changes = tree.changedFiles > 0 ? ` and ${tree.changedFiles} changed files` : '';
  console.log(`after:  ${tree.label}${changes}`);
  if (tree.isSameCommit && tree.changedFiles === 0) {
    console.log('Both versions are equal: the rows show only the noise of this machine.');
  }
  const started = performance.now();
  const rows: Comparison[] = [];
  const context: AgainstContext = {
    roots: [extracted.root, thisTree],
    rounds,
    folder,
    wrk: wrk.path,
    addRows: (...added) => {
      rows.push(...added);
      for (const row of added) console.log(rowAsLine(formatComparison(row)));
    },
    progress: (text) => {
      const seconds = Math.round((performance.now() - started) / 1_000);
      console.error(`[${seconds} s] ${text}`);
    },
  };
  for (const part of selected) await partBenches[part](context);
  console.log(`\n${rowsAsTable(rows.map(formatComparison))}`);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`\n${rows.length} rows in ${minutes} minutes.`);
}

/** Collects the values of both versions for each row. */
function openSeries() {
  const series = new Map<string, Pair<number[]>>();
  return {
    push: (name: string, version: number, value: number) => {
      const pair = series.get(name) ?? [[], []];
      series.set(name, pair);
      pair[version]?.push(value);
    },
    row: (name: string, unit: string, better: 'more' | 'less'): Comparison => {
      const [before, after] = series.get(name) ?? [[], []];
      return { name, unit, better, before, after };
    },
  };
}

/** Measures both versions in each round, in alternating order. */
async function measureInRounds(
  { rounds, progress }: AgainstContext,
  name: string,
  work: (version: 0 | 1) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    progress(`${name}: round ${round + 1} of ${rounds}`);
    for (const version of alternatePair(round, [0, 1] as const)) await work(version);
  }
}

type Radar = Awaited<ReturnType<typeof startRadar>>;

const startRadar = (root: string, items: number) =>
  startVersion<'any' | 'unselected', RadarReady, null>(root, 'serve-radar.ts', [String(items)]);

/** The radars of both versions run during `work`; the one that is not measured is idle. */
async function withRadars(
  { roots, progress }: AgainstContext,
  items: number,
  work: (radars: Pair<Radar>) => Promise<void>,
): Promise<void> {
  progress(`filling two radars with ${items.toLocaleString('en')} items`);
  const [before, after] = [await startRadar(roots[0], items), await startRadar(roots[1], items)];
  try {
    await work([before, after]);
  } finally {
    await Promise.all([before.close(), after.close()]);
  }
}

/** Runs `work`. Meanwhile it publishes one change at once, and one more each `everyMs`. */
async function whilePublishing<T>(
  radar: Radar,
  selection: 'any' | 'unselected',
  everyMs: number,
  work: () => Promise<T>,
): Promise<T> {
  let lastPublication: Promise<unknown> = radar.send(selection);
  const publish = () => {
    lastPublication = lastPublication.then(() => radar.send(selection));
  };
  const writer = setInterval(publish, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(writer);
    await lastPublication;
  }
}

async function compareCached(context: AgainstContext): Promise<void> {
  await withRadars(context, ITEMS.cached, async (radars) => {
    for (const form of ['gzip', 'br', '304'] as const) {
      const series = openSeries();
      const requests = await Promise.all(
        radars.map(async ({ ready: { url } }) => {
          const paths = await listPages(url);
          const tags = form === '304' ? await readTags(url, paths) : [];
          return paths.map((path, index): BenchRequest => {
            const etag = tags[index];
            return etag === undefined ? { path } : { path, etag };
          });
        }),
      );
      const load = (version: 0 | 1, seconds: number) =>
        whilePublishing(radars[version], form === '304' ? 'unselected' : 'any', 5_000, () =>
          measure(
            { name: `version-${version}`, ...radars[version].ready },
            {
              wrk: context.wrk,
              folder: context.folder,
              seconds,
              acceptEncoding: form === 'br' ? 'br' : 'gzip',
              requests: requests[version] ?? [],
            },
          ),
        );
      const names = {
        cpu: `cached page, ${form}: requests by processor time`,
        rate: `cached page, ${form}: requests`,
        p99: `cached page, ${form}: p99`,
        memory: `cached page, ${form}: memory of the process`,
      };
      for (const version of [0, 1] as const) await load(version, 3);
      await measureInRounds(context, `cached page, ${form}`, async (version) => {
        const result = await load(version, 4);
        series.push(names.cpu, version, result.perCpuSecond);
        series.push(names.rate, version, result.perSecond);
        series.push(names.p99, version, result.p99Ms);
        series.push(names.memory, version, readMemoryMb(radars[version]));
      });
      context.addRows(
        series.row(names.cpu, 'a second', 'more'),
        series.row(names.rate, 'a second', 'more'),
        series.row(names.p99, 'ms', 'less'),
        series.row(names.memory, 'MB', 'less'),
      );
    }
  });
}

async function compareUncached(context: AgainstContext): Promise<void> {
  const words = benchWords(7);
  const { firstPage, searches } = makeUncachedPaths(
    words,
    benchItems(ITEMS.uncached, Date.now(), words),
    60_000,
  );
  await withRadars(context, ITEMS.uncached, async (radars) => {
    const [before, after] = radars;
    const pages: Pair<readonly string[]> = [
      await listPathsWithCursors(before.ready.url, firstPage),
      await listPathsWithCursors(after.ready.url, firstPage),
    ];
    for (const [name, paths] of [
      ['page', pages],
      ['search', [searches, searches]],
    ] as const) {
      const usedCounts = [0, 0];
      const load = (version: 0 | 1, rate: 'max' | number, seconds: number) =>
        whilePublishing(radars[version], 'any', 1_000, async () => {
          const file = join(context.folder, 'paths.txt');
          const usedCount = usedCounts[version] ?? 0;
          const unusedPaths = paths[version].slice(usedCount);
          // Each load publishes, so a path that repeats later has no cached response.
          writeFileSync(file, [...unusedPaths, ...paths[version].slice(0, usedCount)].join('\n'));
          const result = await loadUncached(radars[version].ready.url, file, rate, seconds);
          usedCounts[version] =
            (usedCount + Math.ceil(result.perSecond * seconds)) % paths[version].length;
          return result;
        });
      for (const version of [0, 1] as const) await load(version, 'max', 2);
      const halfRate = Math.round((await load(0, 'max', 2)).perSecond / 2);
      const series = openSeries();
      const names = {
        cpu: `uncached ${name}: requests by processor time`,
        rate: `uncached ${name}: requests, as fast as possible`,
        p50: `uncached ${name}: p50 at ${halfRate} a second, half the maximum of before`,
        p99: `uncached ${name}: p99 at ${halfRate} a second`,
        memory: `uncached ${name}: memory of the process`,
      };
      await measureInRounds(context, `uncached ${name}`, async (version) => {
        const { pid } = radars[version].ready;
        const spentBefore = cpuSeconds(pid);
        const fastestLoad = await load(version, 'max', 2);
        const spentSeconds = cpuSeconds(pid) - spentBefore;
        series.push(
          names.cpu,
          version,
          (fastestLoad.perSecond * fastestLoad.seconds) / spentSeconds,
        );
        series.push(names.rate, version, fastestLoad.perSecond);
        const result = await load(version, halfRate, 4);
        series.push(names.p50, version, result.p50Ms);
        series.push(names.p99, version, result.p99Ms);
        series.push(names.memory, version, readMemoryMb(radars[version]));
      });
      context.addRows(
        series.row(names.cpu, 'a second', 'more'),
        series.row(names.rate, 'a second', 'more'),
        series.row(names.p50, 'ms', 'less'),
        series.row(names.p99, 'ms', 'less'),
        series.row(names.memory, 'MB', 'less'),
      );
    }
    context.addRows({
      name: `start with ${ITEMS.uncached.toLocaleString('en')} items`,
      unit: 'ms',
      better: 'less',
      before: [before.ready.startMs],
      after: [after.ready.startMs],
    });
  });
}

/** Megabytes in memory of the radar's process. */
function readMemoryMb({ ready: { pid } }: Radar): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_000;
}

async function compareCharges(context: AgainstContext): Promise<void> {
  context.progress('starting two ledgers');
  const startLedger = (root: string) =>
    startVersion<ChargeRequest, object, ChargeReply>(root, 'serve-charges.ts');
  const ledgers = [
    await startLedger(context.roots[0]),
    await startLedger(context.roots[1]),
  ] as const;
  try {
    for (const ledger of ledgers) await ledger.send({ callers: CALLERS, seconds: 2 });
    const series = openSeries();
    const names = {
      authorize: 'charge, one caller: authorization, median',
      capture: 'charge, one caller: capture, median',
      many: `charge, ${CALLERS} callers of one wallet: charges`,
    };
    await measureInRounds(context, 'charge', async (version) => {
      const single = await ledgers[version].send({ callers: 1, seconds: 3 });
      series.push(names.authorize, version, single.authorizeMs);
      series.push(names.capture, version, single.captureMs);
      const many = await ledgers[version].send({ callers: CALLERS, seconds: 3 });
      series.push(names.many, version, many.perSecond);
    });
    context.addRows(
      series.row(names.authorize, 'ms', 'less'),
      series.row(names.capture, 'ms', 'less'),
      series.row(names.many, 'a second', 'more'),
    );
  } finally {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  }
}

async function compareCalls(context: AgainstContext): Promise<void> {
  context.progress('starting two gateways');
  const nodes = [
    await startGatewayNode(context.roots[0]),
    await startGatewayNode(context.roots[1]),
  ] as const;
  try {
    const callers = await Promise.all(
      nodes.map(async (node) => openCaller(node.ports.gateway, await node.createKey('sk'))),
    );
    const measureCallTimes = async (version: number, ms: number) => {
      const times: number[] = [];
      const end = performance.now() + ms;
      while (performance.now() < end) times.push((await callers[version]?.()) ?? Number.NaN);
      return times;
    };
    for (const version of [0, 1]) await measureCallTimes(version, 2_000);
    const series = openSeries();
    const names = { p50: 'capability call over HTTP: p50', p99: 'capability call over HTTP: p99' };
    await measureInRounds(context, 'capability call', async (version) => {
      const times = await measureCallTimes(version, 5_000);
      series.push(names.p50, version, quantile(times, 0.5));
      series.push(names.p99, version, quantile(times, 0.99));
    });
    context.addRows(series.row(names.p50, 'ms', 'less'), series.row(names.p99, 'ms', 'less'));
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
}
