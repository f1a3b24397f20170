// A PostgreSQL server of a siege's own, set as an operator's is: its processes are killed -9, and
// its supervisor starts it again. What was written stays with the system, as no machine is killed.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Db } from '../../src/kernel/ports/db.ts';
import { openEmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';
import { type Connection, closeDb, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import {
  nothingLeft,
  postmasterOf,
  processesOf,
  serversOf,
} from '../store/embedded-postgres/start-user.ts';
import { quickFolder } from '../support/fast-temp-folder.ts';
import { proofSize } from '../support/proof-size.ts';
import { testWorld } from '../support/test-world.ts';

export type SiegeServer = {
  readonly db: Db;
  readonly connection: Connection;
  /**
   * kill -9 of the server with all its processes, or of one of them, which makes it recover as
   * well. `chance`: 0 to 1, which one. False: there was nothing to kill just now.
   */
  kill(what: 'all' | 'one', chance: number): boolean;
  close(): Promise<void>;
};

/** Processes are found by their command lines; a server of the tests' operator is left alone. */
export const canKillServers =
  existsSync('/proc/self/cmdline') && process.env.TEST_DATABASE_URL === undefined;

export async function openSiegeServer(): Promise<SiegeServer> {
  const { world } = testWorld();
  // At full size on the disk, where a commit waits and is caught waiting.
  const place = proofSize(0, 1) === 1 ? tmpdir() : quickFolder();
  const dataDir = join(mkdtempSync(join(place, 'radar-siege-')), 'data');
  chmodSync(dirname(dataDir), 0o755);
  const server = await openEmbeddedPostgres(world.log, { dataDir, isDurable: true });
  const { connection } = server;
  const db = openDb(world.log, connection, { applicationName: 'radar test' });
  await migrate(world, db);
  return {
    db,
    connection,
    kill: (what, chance) => {
      const all = serversNow(dataDir);
      const children = all.slice(1);
      const one = children[Math.floor(chance * children.length)];
      const victims = what === 'all' ? all : one === undefined ? [] : [one];
      return victims.filter(kill).length > 0;
    },
    close: async () => {
      await closeDb(db);
      await server.close();
      await nothingLeft(dataDir);
      rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/** The first is the postmaster. None while it is away: its number may be another program's. */
function serversNow(dataDir: string): readonly number[] {
  if (!existsSync(join(dataDir, 'postgres/postmaster.pid'))) return [];
  const postmaster = postmasterOf(dataDir);
  return processesOf(dataDir).some(({ pid }) => pid === postmaster) ? serversOf(dataDir) : [];
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
    return false;
  }
}
