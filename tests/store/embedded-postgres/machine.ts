// Abilities of this machine that tests need. Tests without them are skipped and counted.
import { spawnSync } from 'node:child_process';

export const isRoot = process.getuid?.() === 0;
/** The user `nobody`, and a user id without a name. */
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

/** Whether the test can become another user who may execute this checkout. */
export const hasOthers =
  isRoot && succeeds(process.execPath, ['-e', lookHere], { uid: OVERFLOW_UID, gid: OVERFLOW_UID });

export const canMount =
  isRoot && succeeds('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
