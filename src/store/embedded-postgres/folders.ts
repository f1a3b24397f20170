// Paths of the embedded server in the data folder.
import { chownSync, fchownSync, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../kernel/files/make-folder.ts';
import { explainUnusableFolder } from './explain-failure.ts';

export type Folders = {
  /** The data folder without symbolic links, equal for all processes that share it. */
  readonly dataDir: string;
  /** PostgreSQL's data folder (mode 0700, owned by the server's user). */
  readonly cluster: string;
  readonly postmasterPid: string;
  /** The log file of the server. */
  readonly log: string;
  /** Each process that uses the server holds a shared lock: see guard.sh. */
  readonly usersLock: string;
  /** The server's processes hold this lock while they run: see run-server.sh. */
  readonly runningLock: string;
};

/** Makes the data folder when it is missing. Fails with a Fault that names it. */
export function prepareFolders(dataDir: string): Folders {
  try {
    makeFolder(dataDir);
    const realFolder = realpathSync(dataDir);
    const cluster = join(realFolder, 'postgres');
    return {
      dataDir: realFolder,
      cluster,
      postmasterPid: join(cluster, 'postmaster.pid'),
      log: join(realFolder, 'postgres.log'),
      usersLock: join(realFolder, 'postgres.users.lock'),
      runningLock: join(realFolder, 'postgres.running.lock'),
    };
  } catch (error) {
    throw explainUnusableFolder(dataDir, error);
  }
}

/**
 * Changes the owner of a folder to the server's user when root runs this process. Other users need
 * no chown, and service managers may forbid even a chown that changes nothing.
 */
export function changeFolderOwner(path: string, { uid, gid }: { uid: number; gid: number }): void {
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

/** Opens a file for appending. A file that root creates gets the owner of the folder. */
export function openInFolder({ dataDir }: Folders, path: string): number {
  try {
    const file = openSync(path, 'a', 0o600);
    const { uid, gid } = statSync(dataDir);
    if (process.getuid?.() === 0) fchownSync(file, uid, gid);
    return file;
  } catch (error) {
    throw explainUnusableFolder(dataDir, error);
  }
}
