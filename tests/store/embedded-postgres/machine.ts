// Abilities of this machine that tests need. Tests without them are skipped and counted.
import { spawnSync } from 'node:child_process';

export const isRoot = process.getuid?.() === 0;
/** The id of the user `nobody`. */
export const OVERFLOW_UID = 65_534;
/** A user id without a name. */
export const namelessUid = 23_456;

const doesSucceed = (file: string, args: readonly string[], options = {}) =>
  spawnSync(file, args, { cwd: '/', ...options }).status === 0;

export const hasNamespaces = doesSucceed('unshare', [
  '--user',
  `--map-user=${OVERFLOW_UID}`,
  `--map-group=${OVERFLOW_UID}`,
  'true',
]);

const listScript = `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`;

/** Whether the test can become another user who may execute this checkout. */
export const canBecomeOthers =
  isRoot &&
  doesSucceed(process.execPath, ['-e', listScript], { uid: OVERFLOW_UID, gid: OVERFLOW_UID });

export const canMount =
  isRoot && doesSucceed('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
