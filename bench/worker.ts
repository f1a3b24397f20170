// Measures workers as separate processes, from due sources to public items with stories, over a
// durable database. `npm run bench -- worker` measures one worker on one core, and then one and two
// workers with 30 % of a core each. `worker:sizes` prints the bytes of each table per item.
// `worker:sizes worker:vacuumed` also runs VACUUM every five seconds. With WORKER_STORED=50000,
// `worker:two` first stores that many items and then measures new ones.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../src/kernel/crypto/random.ts';
import { requirePresent } from '../src/kernel/errors/assert.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import type { World } from '../src/kernel/world.ts';
import { addSource } from '../src/radar/sources/add-source.ts';
import { connectionOf } from '../src/store/platform/db.ts';
import { type BenchDatabase, openBenchDatabase } from './open-database.ts';
import { type BenchRow, isSelected, type Slices } from './row.ts';
import { serverProcessorMs } from './server-processor-time.ts';
import {
  databaseBytes,
  measurePlainRows,
  readProgress,
  readTableBytes,
  vacuumTables,
} from './worker/read-database.ts';
import { type BenchSource, serveFeeds } from './worker/serve-feeds.ts';

const ITEMS = Number(process.env.WORKER_ITEMS ?? 2_000);
const STORED = Number(process.env.WORKER_STORED ?? 0);
const LIMITED_ITEMS = 500;
const LIMITED_SHARE = 0.3;
const SEED = 7;
const PLAIN_ROWS = 500;
const POLL_MS = 100;
/** With many stored items, each count of the items costs the measured server more time. */
const SLOW_POLL_MS = 500;
/** Longer than a measurement, so that each source is fetched once. */
const INTERVAL_MINUTES = 1440;
const VACUUM_MS = 5_000;
const bin = join(import.meta.dirname, '../bin/radar');

export async function benchWorker({ selected, report }: Slices): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const add = (row: BenchRow) => {
    rows.push(row);
    report(row);
  };
  const hasSizes = selected.includes('sizes');
  if (isSelected(selected, 'one') || hasSizes) {
    const isVacuumed = selected.includes('vacuumed');
    const oneWorker = await runWorkers({ workers: 1, items: ITEMS, isVacuumed });
    const { plainPerSecond, publishedPerSecond, assignedPerSecond, peakMb } = oneWorker;
    const baseline = `${Math.round(plainPerSecond)} plain rows a second in the same run`;
    add({
      name: 'one worker on one core: from fetched to public',
      value: publishedPerSecond,
      unit: 'items/s',
      goal: { atLeast: 60 },
      note:
        `${oneWorker.items} items; ` +
        `${(publishedPerSecond / plainPerSecond).toFixed(3)} × ${baseline}`,
    });
    add({ name: 'from fetched to a story', value: assignedPerSecond, unit: 'items/s' });
    add({
      name: 'processor time of the worker',
      value: oneWorker.processorMsPerItem,
      unit: 'ms per item',
    });
    add({
      name: 'processor time of PostgreSQL',
      value: oneWorker.serverMsPerItem,
      unit: 'ms per item',
    });
    add({ name: 'memory of the worker', value: peakMb, unit: 'MB', goal: { atMost: 1000 } });
    add({
      name: 'database per item',
      value: oneWorker.addedBytes / oneWorker.items,
      unit: 'bytes',
      goal: { atMost: 14_000 },
      note: isVacuumed ? 'with a vacuum every five seconds' : 'with autovacuum only',
    });
    if (hasSizes) {
      for (const { table, rows: count, heap, indexes } of oneWorker.tables) {
        const note = `${count} rows; indexes ${Math.round(indexes / oneWorker.items)}`;
        add({
          name: table,
          value: (heap + indexes) / oneWorker.items,
          unit: 'bytes per item',
          note,
        });
      }
    }
  }
  if (isSelected(selected, 'two')) for (const row of await compareWorkers()) add(row);
  return rows;
}

type Run = {
  readonly workers: number;
  readonly items: number;
  /** Share of a core for each worker. */
  readonly share?: number | undefined;
  /** Runs VACUUM during the measurement, because autovacuum runs too seldom in so short a time. */
  readonly isVacuumed?: boolean;
};

async function runWorkers({ workers, items, share, isVacuumed = false }: Run) {
  const database = await openBenchDatabase();
  const feeds = await serveFeeds(items, database.world.clock.now());
  try {
    const plainPerSecond = await measurePlainRows(database.db, feeds.texts.slice(0, PLAIN_ROWS));
    const emptyBytes = await databaseBytes(database.db);
    const readResult = await readSources(database, feeds.sources, { workers, share, isVacuumed });
    const tables = await readTableBytes(database.db);
    const addedBytes = (await databaseBytes(database.db)) - emptyBytes;
    return { plainPerSecond, ...readResult, tables, addedBytes };
  } finally {
    await feeds.close();
    await database.close();
  }
}

/** Compares one worker with two, with 30 % of a core each, on one database. */
async function compareWorkers(): Promise<readonly BenchRow[]> {
  const database = await openBenchDatabase();
  const feeds = await serveFeeds(STORED + 2 * LIMITED_ITEMS, database.world.clock.now());
  const rows: BenchRow[] = [];
  try {
    // Neighbours in the list have the same publisher and language, so the list is shuffled.
    const random = seededRandom(SEED);
    const sources = feeds.sources
      .map((source) => ({ source, sortKey: random.next() }))
      .toSorted((first, second) => first.sortKey - second.sortKey)
      .map(({ source }) => source);
    const takeSources = (items: number) => {
      const takenSources: BenchSource[] = [];
      for (
        let index = 0;
        index < items && sources.length > 0;
        index += takenSources.at(-1)?.items ?? 0
      ) {
        takenSources.push(requirePresent(sources.shift(), 'a source'));
      }
      return takenSources;
    };
    const note = `${STORED} items stored before`;
    if (STORED > 0) {
      const fillResult = await readSources(database, takeSources(STORED), { workers: 1 });
      const name = `one worker without a limit, ${fillResult.items} items`;
      rows.push({ name, value: fillResult.assignedPerSecond, unit: 'items/s' });
      const memory = { name: 'memory of this worker', value: fillResult.peakMb, unit: 'MB' };
      rows.push({ ...memory, goal: { atMost: 1000 } });
    }
    const limited = { share: LIMITED_SHARE };
    const oneWorker = await readSources(database, takeSources(LIMITED_ITEMS), {
      workers: 1,
      ...limited,
    });
    const twoWorkers = await readSources(database, takeSources(LIMITED_ITEMS), {
      workers: 2,
      ...limited,
    });
    const speeds = (speed: 'publishedPerSecond' | 'assignedPerSecond') =>
      `${twoWorkers[speed].toFixed(1)} against ${oneWorker[speed].toFixed(1)} items a second`;
    rows.push({
      name: 'two workers with 30 % of a core each, against one: from fetched to public',
      value: twoWorkers.publishedPerSecond / oneWorker.publishedPerSecond,
      unit: '×',
      goal: { atLeast: 1.8 },
      note: `${speeds('publishedPerSecond')}; ${note}`,
    });
    rows.push({
      name: 'the same, from fetched to a story',
      value: twoWorkers.assignedPerSecond / oneWorker.assignedPerSecond,
      unit: '×',
      note: speeds('assignedPerSecond'),
    });
    rows.push({
      name: 'memory of each of two workers',
      value: twoWorkers.peakMb,
      unit: 'MB',
      goal: { atMost: 1000 },
      note,
    });
  } finally {
    await feeds.close();
    await database.close();
  }
  return rows;
}

/** Adds sources and measures the workers until all of their items are public and have stories. */
async function readSources(
  database: BenchDatabase,
  sources: readonly BenchSource[],
  { workers, share, isVacuumed = false }: Omit<Run, 'items'>,
) {
  const { world, db } = database;
  const processes: WorkerProcess[] = [];
  const items = sources.reduce((sum, source) => sum + source.items, 0);
  try {
    const storedBefore = (await readProgress(db)).stored;
    for (let index = 0; index < workers; index += 1)
      processes.push(await startWorkerProcess(database, share));
    // Sources are added when all workers run. Otherwise the first worker would read them while the
    // second one starts.
    for (const { id, url, language } of sources) {
      const feedFields = {
        kind: 'feed',
        tier: 'T1',
        participation: 'editorial',
        settings: { url },
      };
      const commonFields = { id, name: id, owner: id, language, intervalMinutes: INTERVAL_MINUTES };
      const addedSource = await addSource(world, db, { ...commonFields, ...feedFields });
      if (addedSource.kind !== 'added') throw new Error(JSON.stringify(addedSource));
    }
    const serverMsBefore = serverProcessorMs(database.folder);
    const seconds = await measureProgress(world, database, { storedBefore, items, isVacuumed });
    const serverMs = serverProcessorMs(database.folder) - serverMsBefore;
    const totalProcessorMs = processes.reduce((sum, worker) => sum + worker.processorMs(), 0);
    const peakMb = Math.max(...processes.map((worker) => worker.peakMb()));
    return {
      items,
      publishedPerSecond: items / seconds.published,
      assignedPerSecond: items / seconds.assigned,
      processorMsPerItem: totalProcessorMs / items,
      serverMsPerItem: serverMs / items,
      peakMb,
    };
  } finally {
    for (const worker of processes) await worker.stop();
  }
}

/** Seconds from the first stored item until all are public, and until all have a story. */
async function measureProgress(
  world: World,
  { db }: BenchDatabase,
  run: { readonly storedBefore: number; readonly items: number; readonly isVacuumed: boolean },
) {
  const totalItems = run.storedBefore + run.items;
  let startedMs: number | null = null;
  let published: number | null = null;
  let vacuumedAt = performance.now();
  for (;;) {
    const progress = await readProgress(db);
    const nowMs = performance.now();
    if (progress.stored > run.storedBefore) startedMs ??= nowMs;
    const seconds = (nowMs - (startedMs ?? nowMs)) / 1000;
    if (progress.published >= totalItems) published ??= seconds;
    if (published !== null && progress.assigned >= totalItems)
      return { published, assigned: seconds };
    if (run.isVacuumed && nowMs - vacuumedAt > VACUUM_MS) {
      await vacuumTables(db);
      vacuumedAt = performance.now();
    }
    await world.clock.sleep(STORED > 0 ? SLOW_POLL_MS : POLL_MS);
  }
}

type WorkerProcess = {
  /** Processor time of all threads since the start of the process. */
  processorMs(): number;
  peakMb(): number;
  stop(): Promise<void>;
};

/** Each worker has its own data folder, because a folder can have only one worker. */
async function startWorkerProcess(
  { folder, db }: BenchDatabase,
  share: number | undefined,
): Promise<WorkerProcess> {
  const configPath = join(folder, 'radar.config.json');
  const network = { privateHosts: ['127.0.0.1'], politenessMs: 0, perHostConcurrency: 16 };
  writeFileSync(configPath, JSON.stringify({ network, logLevel: 'warn' }));
  const { PATH, HOME, BENCH_NODE_OPTIONS: NODE_OPTIONS = '' } = process.env;
  const DATA_DIR = mkdtempSync(join(folder, 'worker-'));
  const child = spawn('taskset', ['-c', '0', bin, 'serve', '--only', 'worker'], {
    env: { PATH, HOME, DATA_DIR, DATABASE_URL: urlOf(db), RADAR_CONFIG: configPath, NODE_OPTIONS },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = requirePresent(child.pid, 'the process of the worker');
  const removeGroup = share === undefined ? () => {} : limitProcessor(pid, share);
  await waitUntilReady(child);
  const readProcessFile = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  return {
    processorMs: () => {
      const fields = readProcessFile('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    peakMb: () => Number(/VmHWM:\s+(\d+)/.exec(readProcessFile('status'))?.[1]) / 1000,
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      removeGroup();
    },
  };
}

function urlOf(db: Db): string {
  const connection = connectionOf(db);
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      output += bytes;
      if (output.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${output}`)));
  });
}

const cpuGroups = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

/** Limits a process and its children to a share of a core. Needs root and cgroups version 1. */
function limitProcessor(pid: number, share: number): () => void {
  if (!existsSync(`${cpuGroups}/cpu.cfs_quota_us`))
    throw new Error(`a limited worker needs cgroups version 1, but ${cpuGroups} is missing`);
  const group = `${cpuGroups}/radar-bench-${pid}`;
  mkdirSync(group);
  writeFileSync(`${group}/cpu.cfs_period_us`, `${PERIOD_US}`);
  writeFileSync(`${group}/cpu.cfs_quota_us`, `${Math.round(PERIOD_US * share)}`);
  writeFileSync(`${group}/cgroup.procs`, `${pid}`);
  return () => rmdirSync(group);
}
