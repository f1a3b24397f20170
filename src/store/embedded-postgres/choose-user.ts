// Chooses the system user that runs the server, because PostgreSQL refuses root. Under root it runs
// as the owner of the data folder, or in a user namespace that maps root to an ordinary user.
// Without namespaces it runs as an unassigned user id, because other services share `nobody`.
import { type SpawnOptions, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Folders } from './folders.ts';
import type { Runtime } from './locate-runtime.ts';
import { startOptions } from './shell-script.ts';

export type ServerUser = {
  /** The owner of the server's files on disk. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /**
   * The user that runs initdb when the server's user cannot; the files are then given to `owner`.
   */
  readonly creator?: ServerUser;
  /** The arguments of `spawn` that run `command` as this user. */
  spawnArguments(command: readonly [string, ...string[]]): {
    readonly file: string;
    readonly args: string[];
    readonly options: SpawnOptions;
  };
};

/** The user `nobody` of Linux distributions. */
const OVERFLOW_UID = 65534;

/** User ids that no distribution and no service manager assigns (systemd, "UIDs and GIDs"). */
const PRIVATE_UIDS = { first: 60_578, count: 606 } as const;

/**
 * Returns the first user who can reach the programs and the data folder. Throws a Fault that names
 * the problem.
 */
export function chooseUser(runtime: Runtime, folders: Folders): ServerUser {
  const currentUser = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  // An existing folder keeps its owner, also when root runs a command in it.
  const owner = ownerOf(folders.dataDir);
  const folderOwner = owner ?? ownerOf(folders.cluster);
  // A fallback user's cluster was created under root, so a fallback user opens it again.
  const hasOrdinaryOwner =
    folderOwner !== null && (owner !== null || !isFallbackUser(folderOwner.uid));
  const candidates =
    currentUser.uid !== 0
      ? [asCurrentUser(currentUser), asNamespaceUser(currentUser)]
      : hasOrdinaryOwner
        ? [asOrdinaryUser(folderOwner), asNamespaceUser(currentUser)]
        : [asNamespaceUser(currentUser), asPrivateUser(folders.dataDir)];
  const refusals: string[] = [];
  for (const candidate of candidates) {
    const refusal = probeUser(candidate, runtime, folders);
    if (refusal === null) return candidate;
    refusals.push(refusal);
  }
  throw noUserFault(
    currentUser.uid === 0,
    folderOwner?.uid ?? OVERFLOW_UID,
    [runtime.postgres, folders.dataDir],
    refusals,
  );
}

function asCurrentUser(owner: ServerUser['owner']): ServerUser {
  return {
    owner,
    spawnArguments: ([file, ...args]) => ({ file, args, options: startOptions }),
  };
}

function asOrdinaryUser(owner: ServerUser['owner']): ServerUser {
  return {
    owner,
    spawnArguments: ([file, ...args]) => ({ file, args, options: { ...startOptions, ...owner } }),
  };
}

/** Whether `chooseUser` takes this id only under root: `nobody` or a private id. */
const isFallbackUser = (uid: number) =>
  uid === OVERFLOW_UID ||
  (uid >= PRIVATE_UIDS.first && uid < PRIVATE_UIDS.first + PRIVATE_UIDS.count);

/** initdb refuses a user id without a name, so `nobody` runs initdb. */
function asPrivateUser(dataDir: string): ServerUser {
  const hash = createHash('sha256').update(dataDir).digest();
  const uid = PRIVATE_UIDS.first + (hash.readUInt32BE() % PRIVATE_UIDS.count);
  const creator = asOrdinaryUser({ uid: OVERFLOW_UID, gid: OVERFLOW_UID });
  return { ...asOrdinaryUser({ uid, gid: uid }), creator };
}

function asNamespaceUser(owner: ServerUser['owner']): ServerUser {
  const unshare = ['--user', `--map-user=${OVERFLOW_UID}`, `--map-group=${OVERFLOW_UID}`, '--'];
  return {
    owner,
    spawnArguments: (command) => ({
      file: 'unshare',
      args: [...unshare, ...command],
      options: startOptions,
    }),
  };
}

/** The owner of a path, unless it is root. */
function ownerOf(path: string): ServerUser['owner'] | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.uid === 0 ? null : { uid: stat.uid, gid: stat.gid };
}

/** Null when this user can run the programs and enter the folder; otherwise the problem. */
function probeUser(user: ServerUser, runtime: Runtime, folders: Folders): string | null {
  // initdb needs a user with a name, and users of containers often have none.
  const idCommand = user.creator === undefined ? 'id -un && ' : '';
  const script = `${idCommand}cd "$2" && exec "$1" --version`;
  const command = ['sh', '-c', script, 'sh', runtime.postgres, folders.dataDir] as const;
  if (user.creator !== undefined) {
    const refusal = probeUser(user.creator, runtime, folders);
    if (refusal !== null) return refusal;
  }
  const { file, args, options } = user.spawnArguments([...command]);
  const { status, stderr, error } = spawnSync(file, args, { ...options, stdio: 'pipe' });
  if (status === 0) return null;
  return error?.message ?? (stderr.toString().trim() || `${file} ended with ${status}`);
}

function noUserFault(isRoot: boolean, uid: number, paths: string[], refusals: string[]): Fault {
  const alternative = `set DATABASE_URL to a PostgreSQL server. Errors: ${refusals.join('; ')}`;
  const foundFolders = isRoot ? paths.map((path) => findClosedFolder(path, uid)) : [];
  const closedFolders = [...new Set(foundFolders.filter((folder) => folder !== null))];
  const message =
    closedFolders.length === 0
      ? `The embedded PostgreSQL (${paths[0]}) cannot be run here. Instead, ${alternative}`
      : `PostgreSQL does not run as root, user ${uid} cannot reach ` +
        `${closedFolders.join(' and ')}, ` +
        'and user namespaces are not available here. Start as an ordinary user, ' +
        `or give other users access ('chmod o+x ${closedFolders.join(' ')}'), or ${alternative}`;
  return new Fault('temporarily_unavailable', message);
}

/**
 * The outermost folder on the way to `path` that `uid` may not enter: the execute bit of the owner
 * or of all others is off.
 */
function findClosedFolder(path: string, uid: number): string | null {
  const parent = dirname(path);
  const outerFolder = parent === path ? null : findClosedFolder(parent, uid);
  if (outerFolder !== null) return outerFolder;
  const { mode, uid: owner } = statSync(path);
  return (mode & (owner === uid ? 0o100 : 0o001)) === 0 ? path : null;
}
