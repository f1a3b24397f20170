// A PostgreSQL server for fault injection, with the configuration of a real installation. Its
// processes are killed with signal 9, and its supervisor restarts it. Written data survives,
// because the operating system keeps running.
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Db } from '../../src/kernel/ports/db.ts';
import { openEmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';
import { type Connection, closeDb, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import {
  postmasterOf,
  processesOf,
  serversOf,
  waitForNoProcesses,
} from '../store/embedded-postgres/start-user.ts';
import { fastTempFolder } from '../support/fast-temp-folder.ts';
import { proofSize } from '../support/proof-size.ts';
import { testWorld } from '../support/test-world.ts';

export type KillableServer = {
  readonly db: Db;
  readonly connection: Connection;
  /**
   * Kills the whole server with -9, or one of its processes, after which the server recovers.
   * `chance`, from 0 to 1, selects the process. Returns false when no process was found.
   */
  kill(target: 'all' | 'one', chance: number): boolean;
  /** Kills the server, which stays down until the returned function is called. */
  stop(): () => void;
  close(): Promise<void>;
};

/**
 * Processes are found by their command lines, so a server of the machine's operator is not
 * affected.
 */
export const canKillServers =
  existsSync('/proc/self/cmdline') && process.env.TEST_DATABASE_URL === undefined;

export async function openKillableServer(): Promise<KillableServer> {
  const { world } = testWorld();
  // At full size the data are on a disk, so that a kill can hit a commit that waits for the disk.
  const parentFolder = proofSize(0, 1) === 1 ? tmpdir() : fastTempFolder();
  const dataDir = join(mkdtempSync(join(parentFolder, 'radar-killable-')), 'data');
  chmodSync(dirname(dataDir), 0o755);
  const server = await openEmbeddedPostgres(world.log, { dataDir, isDurable: true });
  const { connection } = server;
  const db = openDb(world.log, connection, { applicationName: 'radar test' });
  await migrate(world, db);
  return {
    db,
    connection,
    kill: (target, chance) => {
      const pids = serverPids(dataDir);
      const children = pids.slice(1);
      const index = Math.floor(chance * children.length);
      const targetPids = target === 'all' ? pids : children.slice(index, index + 1);
      return targetPids.filter(killProcess).length > 0;
    },
    stop: () => {
      const [serverFolder, movedFolder] = [join(dataDir, 'postgres'), join(dataDir, 'elsewhere')];
      const servers = serverPids(dataDir);
      // Without its folder the supervisor cannot restart the server.
      renameSync(serverFolder, movedFolder);
      for (const pid of servers) killProcess(pid);
      return () => renameSync(movedFolder, serverFolder);
    },
    close: async () => {
      await closeDb(db);
      await server.close();
      await waitForNoProcesses(dataDir);
      rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/**
 * The first process is the postmaster. The list is empty while the server is down, because another
 * program may reuse the process id.
 */
function serverPids(dataDir: string): readonly number[] {
  if (!existsSync(join(dataDir, 'postgres/postmaster.pid'))) return [];
  const postmaster = postmasterOf(dataDir);
  return processesOf(dataDir).some(({ pid }) => pid === postmaster) ? serversOf(dataDir) : [];
}

function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
    return false;
  }
}
