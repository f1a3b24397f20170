// Prepares the folder of the server's socket. The folder is not in the data folder, because a
// socket path has at most 107 bytes (103 on macOS). Access to the folder is the authentication, so
// it belongs to one user.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerUser } from './choose-user.ts';
import { changeFolderOwner } from './folders.ts';

/** The port only names the socket's file; nothing listens on TCP. */
export const port = 5432;

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${port}`);
}

const maxPathBytes = 103;

/**
 * Creates and cleans the private folder (0700, the server's user). The caller holds the lock of
 * run-server.sh, so an existing socket belongs to a killed server.
 *
 * A restarted server uses `previousFolder` again, because the pools of all processes have that
 * address. Otherwise the name is a hash of the data folder. A folder of another user is skipped.
 */
export function prepareSocketFolder(
  dataDir: string,
  owner: ServerUser['owner'],
  previousFolder: string | null,
): string {
  const name = `radar-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  for (const folder of [previousFolder, join(tmpdir(), name), join('/tmp', name)]) {
    if (folder === null || !makePrivateFolder(folder, owner)) continue;
    for (const suffix of ['', '.lock']) rmSync(socketPath(folder) + suffix, { force: true });
    return folder;
  }
  const folder = mkdtempSync('/tmp/radar-');
  changeFolderOwner(folder, owner);
  return folder;
}

/**
 * Makes the folder if it is missing; false: it is not private to the owner, or its path is long.
 */
function makePrivateFolder(folder: string, owner: ServerUser['owner']): boolean {
  if (Buffer.byteLength(socketPath(folder)) > maxPathBytes) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    changeFolderOwner(folder, owner);
  } catch {
    // The folder may exist; the check below decides.
  }
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === owner.uid && (stat.mode & 0o777) === 0o700;
}
