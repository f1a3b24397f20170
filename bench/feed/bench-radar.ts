// Starts the measured radar: a process on the first core with public items in a durable database.
// The measuring process can publish changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { seededRandom, systemRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';
import type { PublicItem } from '../../src/radar/publication/item.ts';
import { toPublicRow } from '../../src/radar/publication/public-row.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import { openDatabase } from '../../src/store/platform/open-database.ts';
import {
  deletePublicItems,
  upsertPublicItems,
} from '../../src/store/radar/publication/public-items.ts';
import {
  advancePublication,
  lockPublication,
} from '../../src/store/radar/publication/publication-head.ts';
import { type BenchWords, benchItem, benchItems } from '../read-model-items.ts';
import type { BlockReport } from '../tail/record-blocks.ts';

export type BenchRadar = {
  readonly url: string;
  readonly pid: number;
  readonly items: readonly PublicItem[];
  /** Time from the start of the process until it is ready. */
  readonly startMs: number;
  /**
   * Publishes twenty new items and changes twenty others. With `any`, some of them are selected.
   */
  publish(which: 'any' | 'unselected'): Promise<void>;
  /** Times in which the radar's event loop was blocked during `work`. */
  recordBlocks(work: () => Promise<void>): Promise<BlockReport>;
  close(): Promise<void>;
};

const bin = join(import.meta.dirname, '../../bin/radar');
/** A module in the radar's process, which records nothing until the first message. */
const recorder = new URL('../tail/record-blocks.ts', import.meta.url);
const CHUNK_ITEMS = 2_000;

export async function openBenchRadar(count: number, words: BenchWords): Promise<BenchRadar> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-'));
  const world = benchWorld();
  const database = await openDatabase(world, {
    databaseUrl: null,
    dataDir: folder,
    isDurable: true,
  });
  await migrate(world, database.db);
  const items = benchItems(count, world.clock.now(), words);
  const change = (upserts: readonly PublicItem[], removals: readonly string[]) =>
    inTransaction(database.db, async (tx) => {
      const { seq } = await lockPublication(world, tx);
      await upsertPublicItems(tx, upserts.map(toPublicRow));
      await deletePublicItems(tx, removals);
      const ids = [...upserts.map(({ id }) => id), ...removals];
      const logEntries = ids.map((key, index) => ({
        kind: 'item' as const,
        key,
        seq: seq + index + 1,
      }));
      await advancePublication(tx, logEntries, world.clock.now());
    });
  for (let index = 0; index < items.length; index += CHUNK_ITEMS)
    await change(items.slice(index, index + CHUNK_ITEMS), []);
  const started = performance.now();
  const { child, url } = await startProcess(folder);
  const startMs = performance.now() - started;
  return {
    url,
    pid: child.pid ?? 0,
    items,
    startMs,
    publish: openWriter(items, words, world, change),
    recordBlocks: async (work) => {
      child.send('reset');
      await work();
      child.send('report');
      return new Promise((resolve) =>
        child.once('message', (report: BlockReport) => resolve(report)),
      );
    },
    close: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await database.close();
      await world.net.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function benchWorld(): World {
  const clock = runningClock();
  const random = systemRandom();
  const log = openLog({ level: 'error', now: clock.now });
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'bench' });
  return { clock, random, ids: timedIds(clock, random), net, log };
}

async function startProcess(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const config = join(folder, 'radar.config.json');
  const limits = { requestsPerSecond: 10_000_000, burst: 10_000_000 };
  writeFileSync(config, JSON.stringify({ limits, logLevel: 'warn' }));
  const { PATH, HOME } = process.env;
  const child = spawn('taskset', ['-c', '0', bin, 'serve', '--only', 'radar'], {
    env: {
      PATH,
      HOME,
      RADAR_PORT: '0',
      DATA_DIR: folder,
      RADAR_CONFIG: config,
      NODE_OPTIONS: `--import=${recorder}`,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the radar ended with ${code}: ${text}`)));
  });
  return { child, url: /http:\/\/[^/\s]+/.exec(text)?.[0] ?? '' };
}

function openWriter(
  items: readonly PublicItem[],
  words: BenchWords,
  world: World,
  change: (upserts: readonly PublicItem[], removals: readonly string[]) => Promise<void>,
) {
  const random = seededRandom(items.length + 1);
  let next = items.length;
  let newestIds: readonly string[] = [];
  return async (kind: 'any' | 'unselected') => {
    const now = world.clock.now();
    const newItems = Array.from({ length: 20 }, () => {
      next += 1;
      const item = benchItem(next, random, now, words);
      const at = { discoveredAt: now, publishedAt: now - 60_000, timelineAt: now };
      return kind === 'any' ? { ...item, ...at } : { ...item, ...at, selected: false };
    });
    const editableItems = kind === 'any' ? items : items.filter((item) => !item.selected);
    const changed = Array.from({ length: 20 }, () => {
      const item = editableItems[Math.floor(random.next() * editableItems.length)] ?? newItems[0];
      return item && { ...item, summary: `Changed ${now}: ${item.summary}` };
    }).flatMap((item) => (item ? [item] : []));
    const byId = new Map([...newItems, ...changed].map((item) => [item.id, item]));
    await change([...byId.values()], newestIds.slice(0, 5));
    newestIds = newItems.map(({ id }) => id);
  };
}
