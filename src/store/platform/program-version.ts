// Decides which program versions may use a database. A migration that breaks older programs has the
// line `-- oldest program: 0.2.0`. All other migrations keep the previous release usable, so nodes
// of two releases serve side by side during an upgrade.
import { readFileSync } from 'node:fs';
import { assert } from '../../kernel/errors/assert.ts';

const packageFile = new URL('../../../package.json', import.meta.url);

export const programVersion: string = JSON.parse(readFileSync(packageFile, 'utf8')).version;

/** Null: the release before the migration can still use the database. */
export function oldestProgramOf(migrationText: string): string | null {
  return /^-- oldest program: (\d+\.\d+\.\d+)$/m.exec(migrationText)?.[1] ?? null;
}

/** Versions are three numbers: `0.10.0` is newer than `0.9.1`. */
export function isOlderVersion(version: string, otherVersion: string): boolean {
  const [ownNumbers, otherNumbers] = [numbersOf(version), numbersOf(otherVersion)];
  const index = ownNumbers.findIndex((number, place) => number !== otherNumbers[place]);
  return index >= 0 && (ownNumbers[index] ?? 0) < (otherNumbers[index] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  assert(parts !== null, `a version has three numbers, unlike ${version}`);
  return parts.slice(1).map(Number);
}
