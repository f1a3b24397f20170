// Where the embedded server's things lie in the data folder.
import { chownSync, fchownSync, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../kernel/files/make-folder.ts';
import { cannotUse } from './explain-failure.ts';

export type Folders = {
  /** The data folder, free of symbolic links: the same for all who share it. */
  readonly dataDir: string;
  /** PostgreSQL's own folder (0700, its user's). */
  readonly cluster: string;
  readonly postmasterPid: string;
  /** The log file of the server. */
  readonly log: string;
  /** Locked (shared) by each process that uses the server: see guard.sh. */
  readonly usersLock: string;
  /** Locked by the server's processes while any of them runs: see run-server.sh. */
  readonly runningLock: string;
};

/** Makes the data folder when it is missing. Fails with a Fault that names it. */
export function prepareFolders(dataDir: string): Folders {
  try {
    makeFolder(dataDir);
    const real = realpathSync(dataDir);
    const cluster = join(real, 'postgres');
    return {
      dataDir: real,
      cluster,
      postmasterPid: join(cluster, 'postmaster.pid'),
      log: join(real, 'postgres.log'),
      usersLock: join(real, 'postgres.users.lock'),
      runningLock: join(real, 'postgres.running.lock'),
    };
  } catch (error) {
    throw cannotUse(dataDir, error);
  }
}

/**
 * Gives a folder to the server's user, where root runs this. A service manager's system-call filter
 * refuses chown to every other user, also where chown changes nothing.
 */
export function giveFolder(path: string, { uid, gid }: { uid: number; gid: number }): void {
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

/** A descriptor for appending. What root makes is the folder owner's, who may come later. */
export function openInFolder({ dataDir }: Folders, path: string): number {
  try {
    const file = openSync(path, 'a', 0o600);
    const { uid, gid } = statSync(dataDir);
    if (process.getuid?.() === 0) fchownSync(file, uid, gid);
    return file;
  } catch (error) {
    throw cannotUse(dataDir, error);
  }
}
