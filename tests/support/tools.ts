// Finds programs of the operating system that some tests need. In CI a missing program is a
// failure; elsewhere its tests are skipped and counted.
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { assert } from '../../src/kernel/errors/assert.ts';

export type Tool =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly name: string };

export type Machine = {
  /** Folders to search, in order. */
  readonly folders: readonly string[];
  /** Whether every program of `.ci/tools` is required. */
  readonly isCi: boolean;
};

const listFile = join(import.meta.dirname, '../../.ci/tools');

/** The programs that `.ci/run` installs, with their Debian packages. */
export function listedTools(): ReadonlyMap<string, string> {
  const lines = readFileSync(listFile, 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(rows.map((row) => [row.split(/\s+/)[0] ?? '', row.replace(/^\S+\s+/, '')]));
}

/**
 * A program of `.ci/tools` by name: `const nginx = requireTool('nginx')`, then
 * `describe.skipIf(nginx.kind === 'missing')`. Throws in CI, and for a name that is not listed.
 */
export function requireTool(name: string, machine = thisMachine()): Tool {
  assert(listedTools().has(name), `${name} is not listed in .ci/tools`);
  const path = machine.folders.map((folder) => join(folder, name)).find(isExecutable);
  if (path) return { kind: 'found', path };
  assert(!machine.isCi, `${name} is missing, and this is CI`);
  return { kind: 'missing', name };
}

function thisMachine(): Machine {
  const pathFolders = (process.env.PATH ?? '').split(delimiter);
  const defaultFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/lib/postgresql/15/bin'];
  return { folders: [...pathFolders, ...defaultFolders], isCi: process.env.CI === 'true' };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
