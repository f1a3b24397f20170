// One worker as a process of its own, from due sources to public items with stories, over a durable
// database. `npm run bench -- worker` measures one worker on one core, and then one and two workers
// with 30 % of a core each. `worker:sizes` prints the bytes of each table per item.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePresent } from '../src/kernel/errors/assert.ts';
import type { World } from '../src/kernel/world.ts';
import { addSource } from '../src/radar/sources/add-source.ts';
import { type BenchDatabase, openBenchDatabase } from './open-database.ts';
import { type BenchRow, isSelected, type Slices } from './row.ts';
import { serverProcessorMs } from './server-processor-time.ts';
import {
  measurePlainRows,
  readProgress,
  readTableBytes,
  vacuumTables,
} from './worker/read-database.ts';
import { serveFeeds } from './worker/serve-feeds.ts';

const ITEMS = Number(process.env.WORKER_ITEMS ?? 2_000);
const LIMITED_ITEMS = 500;
const PLAIN_ROWS = 500;
const POLL_MS = 100;
const VACUUM_MS = 5_000;
const bin = join(import.meta.dirname, '../bin/radar');

export async function benchWorker({ selected, report }: Slices): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const add = (row: BenchRow) => {
    rows.push(row);
    report(row);
  };
  if (isSelected(selected, 'one') || selected.includes('sizes')) {
    const isSized = selected.includes('sizes');
    const one = await runWorkers({ workers: 1, items: ITEMS, isVacuumed: isSized });
    const { plain, published, assigned, processorMs, peakMb } = one;
    const baseline = `${Math.round(plain)} plain rows a second in the same run`;
    add({
      name: 'one worker on one core: from fetched to public',
      value: published,
      unit: 'items/s',
      goal: { atLeast: 60 },
      note: `${one.items} items; ${(published / plain).toFixed(3)} × ${baseline}`,
    });
    add({ name: 'from fetched to a story', value: assigned, unit: 'items/s' });
    add({ name: 'processor time of the worker', value: processorMs, unit: 'ms per item' });
    add({ name: 'processor time of PostgreSQL', value: one.serverMs, unit: 'ms per item' });
    add({ name: 'memory of the worker', value: peakMb, unit: 'MB', goal: { atMost: 1000 } });
    add({
      name: 'database per item',
      value: one.bytes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0) / one.items,
      unit: 'bytes',
      goal: { atMost: 14_000 },
    });
    if (isSized) {
      for (const { table, rows: count, heap, indexes } of one.bytes) {
        const note = `${count} rows; indexes ${Math.round(indexes / one.items)}`;
        add({ name: table, value: (heap + indexes) / one.items, unit: 'bytes per item', note });
      }
    }
  }
  if (isSelected(selected, 'two')) {
    const limited = { items: LIMITED_ITEMS, share: 0.3 };
    const one = await runWorkers({ workers: 1, ...limited });
    const two = await runWorkers({ workers: 2, ...limited });
    add({
      name: 'two workers with 30 % of a core each, against one',
      value: two.assigned / one.assigned,
      unit: '×',
      goal: { atLeast: 1.8 },
      note: `${two.assigned.toFixed(1)} against ${one.assigned.toFixed(1)} items a second`,
    });
  }
  return rows;
}

type Run = {
  readonly workers: number;
  readonly items: number;
  /** Of a core, for each worker. */
  readonly share?: number;
  /** Vacuums during the run, because autovacuum does so between items that arrive over days. */
  readonly isVacuumed?: boolean;
};

async function runWorkers({ workers, items, share, isVacuumed = false }: Run) {
  const database = await openBenchDatabase();
  const { world, db } = database;
  const feeds = await serveFeeds(items, world.clock.now());
  const running: WorkerProcess[] = [];
  try {
    for (const { id, url, language } of feeds.sources) {
      const kind = { kind: 'feed', tier: 'T1', participation: 'editorial', settings: { url } };
      const common = { id, name: id, owner: id, language, intervalMinutes: 60 };
      const added = await addSource(world, db, { ...common, ...kind });
      if (added.kind !== 'added') throw new Error(JSON.stringify(added));
    }
    const plain = await measurePlainRows(db, feeds.texts.slice(0, PLAIN_ROWS));
    for (let n = 0; n < workers; n += 1) running.push(await startWorkerProcess(database, share));
    const serverBegan = serverProcessorMs(database.folder);
    const seconds = await measureProgress(world, database, feeds.texts.length, isVacuumed);
    const serverMs = serverProcessorMs(database.folder) - serverBegan;
    const processor = running.reduce((sum, worker) => sum + worker.processorMs(), 0);
    const peakMb = Math.max(...running.map((worker) => worker.peakMb()));
    for (const worker of running.splice(0)) await worker.end();
    return {
      plain,
      items: feeds.texts.length,
      published: feeds.texts.length / seconds.published,
      assigned: feeds.texts.length / seconds.assigned,
      processorMs: processor / feeds.texts.length,
      serverMs: serverMs / feeds.texts.length,
      peakMb,
      bytes: await readTableBytes(db),
    };
  } finally {
    for (const worker of running) await worker.end();
    await feeds.close();
    await database.close();
  }
}

/** Seconds from the first stored item until all are public, and until all have a story. */
async function measureProgress(
  world: World,
  { db }: BenchDatabase,
  items: number,
  isVacuumed: boolean,
) {
  let began: number | null = null;
  let published: number | null = null;
  let vacuumedAt = performance.now();
  for (;;) {
    const progress = await readProgress(db);
    const at = performance.now();
    if (progress.stored > 0) began ??= at;
    const seconds = (at - (began ?? at)) / 1000;
    if (progress.published >= items) published ??= seconds;
    if (published !== null && progress.assigned >= items) return { published, assigned: seconds };
    if (isVacuumed && at - vacuumedAt > VACUUM_MS) {
      await vacuumTables(db);
      vacuumedAt = performance.now();
    }
    await world.clock.sleep(POLL_MS);
  }
}

type WorkerProcess = {
  /** Since its start, of all threads. */
  processorMs(): number;
  peakMb(): number;
  end(): Promise<void>;
};

async function startWorkerProcess(
  { folder }: BenchDatabase,
  share: number | undefined,
): Promise<WorkerProcess> {
  const config = join(folder, 'radar.config.json');
  const network = { privateHosts: ['127.0.0.1'], politenessMs: 0, perHostConcurrency: 16 };
  writeFileSync(config, JSON.stringify({ network, logLevel: 'warn' }));
  const { PATH, HOME, BENCH_NODE_OPTIONS: NODE_OPTIONS = '' } = process.env;
  const child = spawn('taskset', ['-c', '0', bin, 'serve', '--only', 'worker'], {
    env: { PATH, HOME, DATA_DIR: folder, RADAR_CONFIG: config, NODE_OPTIONS },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = requirePresent(child.pid, 'the process of the worker');
  const freeGroup = share === undefined ? () => {} : limitProcessor(pid, share);
  await untilReady(child);
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  return {
    processorMs: () => {
      const fields = read('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    peakMb: () => Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1]) / 1000,
    end: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      freeGroup();
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${text}`)));
  });
}

const groups = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

/** Limits a process and its children to a share of a core. Needs root, and Linux' `cpu` groups. */
function limitProcessor(pid: number, share: number): () => void {
  if (!existsSync(`${groups}/cpu.cfs_quota_us`)) throw new Error(`no ${groups}`);
  const group = `${groups}/radar-bench-${pid}`;
  mkdirSync(group);
  writeFileSync(`${group}/cpu.cfs_period_us`, `${PERIOD_US}`);
  writeFileSync(`${group}/cpu.cfs_quota_us`, `${Math.round(PERIOD_US * share)}`);
  writeFileSync(`${group}/cgroup.procs`, `${pid}`);
  return () => rmdirSync(group);
}
