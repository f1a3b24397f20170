// What this machine lets a test be and do; what it does not is skipped, and counted.
import { spawnSync } from 'node:child_process';

export const isRoot = process.getuid?.() === 0;
/** The user `nobody`, and one who has no name. */
export const OVERFLOW_UID = 65_534;
export const nameless = 23_456;

const succeeds = (file: string, args: readonly string[], options = {}) =>
  spawnSync(file, args, { cwd: '/', ...options }).status === 0;

export const hasNamespaces = succeeds('unshare', [
  '--user',
  `--map-user=${OVERFLOW_UID}`,
  `--map-group=${OVERFLOW_UID}`,
  'true',
]);

const lookHere = `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`;

/** Whether we can be another user, who can run this checkout (one of root alone they cannot). */
export const hasOthers =
  isRoot && succeeds(process.execPath, ['-e', lookHere], { uid: OVERFLOW_UID, gid: OVERFLOW_UID });

export const canMount =
  isRoot && succeeds('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
