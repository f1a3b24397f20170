// Creates PostgreSQL's folder atomically, or checks the existing folder. The caller holds the lock
// of run-server.sh, so no server runs, and no other process creates the folder.
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Fault } from '../../kernel/errors/fault.ts';
import type { ServerUser } from './choose-user.ts';
import { explainFailedStart } from './explain-failure.ts';
import { changeFolderOwner } from './folders.ts';
import type { Runtime } from './locate-runtime.ts';
import type { Setup } from './setup.ts';

export const superuser = 'radar';

/**
 * Ensures that `setup.folders.cluster` is a cluster of this version, owned by `setup.user`.
 *
 * `lock` is the locked file; initdb inherits it, because it may outlive a killed parent.
 * `mayCreate` is false when the server is restarted: an empty folder then means lost data.
 */
export async function prepareCluster(
  setup: Setup,
  lock: number,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<void> {
  const { folders, runtime, user, isDurable } = setup;
  const { cluster, dataDir } = folders;
  for (const name of readdirSync(dataDir)) {
    // The folder of a killed process is incomplete.
    if (name.startsWith('postgres.new-')) rmSync(join(dataDir, name), { recursive: true });
  }
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    checkVersion(cluster, runtime);
    changeClusterOwner(user, cluster);
    return;
  }
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new Fault(
      'temporarily_unavailable',
      `The folder ${cluster} exists but contains no PostgreSQL database. Move it away, ` +
        'or set DATA_DIR to another folder.',
    );
  }
  if (!mayCreate) {
    throw new Fault(
      'temporarily_unavailable',
      `The database in ${cluster} was removed while it was in use. ` +
        'Restore the folder, or restart this process to begin with an empty database.',
    );
  }
  const newFolder = mkdtempSync(join(dataDir, 'postgres.new-'));
  const creator = user.creator ?? user;
  changeFolderOwner(newFolder, creator.owner);
  await initdb({ ...setup, user: creator }, lock, newFolder);
  changeClusterOwner(user, newFolder);
  renameSync(newFolder, cluster);
  // Without the sync, a power failure could restore the old name, which the next start deletes.
  if (isDurable) syncFolder(dirname(cluster));
}

/** The built-in UTF-8 locale sorts text by code points, in the same way on every machine. */
async function initdb(setup: Setup, lock: number, folder: string): Promise<void> {
  const { folders, runtime, user, isDurable } = setup;
  const { file, args, options } = user.spawnArguments([
    runtime.initdb,
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe', lock] });
  const exitPromise = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, status] = await Promise.all([
    child.stderr === null ? '' : text(child.stderr),
    exitPromise,
  ]);
  if (status === 0) return;
  const fault = explainFailedStart(folders.dataDir, { output, status });
  rmSync(folder, { recursive: true, force: true });
  throw fault;
}

function checkVersion(cluster: string, runtime: Runtime): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version === runtime.major) return;
  throw new Fault(
    'temporarily_unavailable',
    `The database in ${cluster} was made by PostgreSQL ${version}, and this release has ` +
      `${runtime.major}. Make a backup with the earlier release ('radar backup'), move the ` +
      "folder away and restore the backup here ('radar restore').",
  );
}

/** Changes the owner of a cluster that another user's server created. */
function changeClusterOwner({ owner }: ServerUser, cluster: string): void {
  if (process.getuid?.() !== 0 || statSync(cluster).uid === owner.uid) return;
  // The folder itself comes last, so an interrupted change is repeated.
  const clusterPaths = readdirSync(cluster, { recursive: true, encoding: 'utf8' });
  for (const path of [...clusterPaths, '.']) lchownSync(join(cluster, path), owner.uid, owner.gid);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
