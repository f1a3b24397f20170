// Opens a durable database and a World with the machine's time, for benchmarks that write or send.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timedIds } from '../src/kernel/crypto/ids.ts';
import { systemRandom } from '../src/kernel/crypto/random.ts';
import { openNet } from '../src/kernel/net/open-net.ts';
import { openLog } from '../src/kernel/observability/log.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import { runningClock } from '../src/kernel/time/clock.ts';
import type { World } from '../src/kernel/world.ts';
import { backgroundDb } from '../src/store/platform/db.ts';
import { migrate } from '../src/store/platform/migrate.ts';
import { openDatabase } from '../src/store/platform/open-database.ts';

/** A worker's connection pool has this size. */
const CONNECTIONS = 7;

export type BenchDatabase = {
  readonly world: World;
  readonly db: Db;
  /** The data folder, which other processes may use. */
  readonly folder: string;
  close(): Promise<void>;
};

export async function openBenchDatabase(): Promise<BenchDatabase> {
  const database = await openEmptyDatabase();
  await migrate(database.world, database.db);
  return { ...database, db: backgroundDb(database.db, CONNECTIONS) };
}

/** Starts a new server with a database without tables. */
export async function openEmptyDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-'));
  const clock = runningClock();
  const random = systemRandom();
  const log = openLog({ level: 'error', now: clock.now });
  const privateHosts = ['127.0.0.1'];
  const net = openNet({ clock, privateHosts, politenessMs: 0, userAgent: 'bench' });
  const world = { clock, random, ids: timedIds(clock, random), net, log };
  const options = { databaseUrl: null, dataDir: folder, isDurable: true };
  const { db, close } = await openDatabase(world, options);
  return {
    world,
    db,
    folder,
    close: async () => {
      await close();
      await net.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
