// Under which user the server runs. PostgreSQL refuses root. Root's server runs as the owner of the
// data folder, or in a user namespace, where root's own files are that user's. The user `nobody` is
// the last choice: other services share it, and each could enter the socket's folder.
import { type SpawnOptions, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Folders } from './folders.ts';
import type { Runtime } from './locate-runtime.ts';
import { startOptions } from './shell-script.ts';

export type ServerUser = {
  /** The owner of the server's files on disk. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /** What to spawn so that `command` runs as this user. */
  spawnable(command: readonly [string, ...string[]]): {
    readonly file: string;
    readonly args: string[];
    readonly options: SpawnOptions;
  };
};

/** The user `nobody` of Linux distributions. */
const OVERFLOW_UID = 65534;

/** The first user who can reach the programs and the data folder. Fails with a Fault naming it. */
export function chooseUser(runtime: Runtime, folders: Folders): ServerUser {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  // A user's folder stays that user's, also when root runs a command in it.
  const owner = ownerOf(folders.dataDir);
  const other = owner ?? ownerOf(folders.cluster) ?? { uid: OVERFLOW_UID, gid: OVERFLOW_UID };
  const isShared = owner === null && other.uid === OVERFLOW_UID;
  const ways =
    self.uid !== 0
      ? [sameUser(self), namespaceUser(self)]
      : isShared
        ? [namespaceUser(self), ordinaryUser(other)]
        : [ordinaryUser(other), namespaceUser(self)];
  const refusals: string[] = [];
  for (const way of ways) {
    const refusal = probe(way, runtime, folders);
    if (refusal === null) return way;
    refusals.push(refusal);
  }
  throw noUserFault(self.uid === 0, other.uid, [runtime.postgres, folders.dataDir], refusals);
}

function sameUser(owner: ServerUser['owner']): ServerUser {
  return {
    owner,
    spawnable: ([file, ...args]) => ({ file, args, options: startOptions }),
  };
}

function ordinaryUser(owner: ServerUser['owner']): ServerUser {
  return {
    owner,
    spawnable: ([file, ...args]) => ({ file, args, options: { ...startOptions, ...owner } }),
  };
}

function namespaceUser(owner: ServerUser['owner']): ServerUser {
  const unshare = ['--user', `--map-user=${OVERFLOW_UID}`, `--map-group=${OVERFLOW_UID}`, '--'];
  return {
    owner,
    spawnable: (command) => ({
      file: 'unshare',
      args: [...unshare, ...command],
      options: startOptions,
    }),
  };
}

/** Who owns it, unless that is root. */
function ownerOf(path: string): ServerUser['owner'] | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.uid === 0 ? null : { uid: stat.uid, gid: stat.gid };
}

/** Null when this user can run the programs and enter the folder; else what is in the way. */
function probe(user: ServerUser, runtime: Runtime, folders: Folders): string | null {
  // initdb needs a user with a name, and users of containers often have none.
  const script = 'id -un && cd "$2" && exec "$1" --version';
  const command = ['sh', '-c', script, 'sh', runtime.postgres, folders.dataDir] as const;
  const { file, args, options } = user.spawnable([...command]);
  const { status, stderr, error } = spawnSync(file, args, { ...options, stdio: 'pipe' });
  if (status === 0) return null;
  return error?.message ?? (stderr.toString().trim() || `${file} ended with ${status}`);
}

function noUserFault(isRoot: boolean, uid: number, paths: string[], refusals: string[]): Fault {
  const instead = `set DATABASE_URL to a PostgreSQL server. It was said: ${refusals.join('; ')}`;
  const all = isRoot ? paths.map((path) => firstClosed(path, uid)) : [];
  const closed = [...new Set(all.filter((folder) => folder !== null))];
  const message =
    closed.length === 0
      ? `The embedded PostgreSQL (${paths[0]}) cannot be run here. Instead, ${instead}`
      : `PostgreSQL does not run as root, user ${uid} cannot reach ${closed.join(' and ')}, ` +
        'and user namespaces are not available here. Start as an ordinary user, ' +
        `or let others pass ('chmod o+x ${closed.join(' ')}'), or ${instead}`;
  return new Fault('temporarily_unavailable', message);
}

/** The outermost folder on the way to `path` that `uid` may not enter, by its mode. */
function firstClosed(path: string, uid: number): string | null {
  const parent = dirname(path);
  const outer = parent === path ? null : firstClosed(parent, uid);
  if (outer !== null) return outer;
  const { mode, uid: owner } = statSync(path);
  return (mode & (owner === uid ? 0o100 : 0o001)) === 0 ? path : null;
}
