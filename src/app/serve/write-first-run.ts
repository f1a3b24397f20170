// Writes `first-run.json`: the addresses and secrets that the first start creates. Only the owner
// can read the file.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../kernel/errors/fault.ts';
import { makeFolder } from '../../kernel/files/make-folder.ts';
import type { AppRun } from './run.ts';

type Facts = Readonly<Record<string, string>>;

/**
 * Adds facts to the file. The components of a process call this function in any order. Existing
 * values stay unless `replacesValues` is true.
 */
export function writeFirstRun(run: AppRun, facts: Facts, { replacesValues = false } = {}): void {
  const { config, world, options } = run;
  const path = join(config.dataDir, 'first-run.json');
  const existing = readFacts(path);
  const isWritten = ([name, value]: [string, string]) =>
    replacesValues ? existing?.[name] === value : Object.hasOwn(existing ?? {}, name);
  if (Object.entries(facts).every(isWritten)) return;
  const creation = { version: options.version, at: new Date(world.clock.now()) };
  const fileFacts = replacesValues
    ? { ...creation, ...existing, ...facts }
    : { ...creation, ...facts, ...existing };
  try {
    makeFolder(config.dataDir, 0o700);
    replaceFile(path, `${JSON.stringify(fileFacts, null, 2)}\n`);
    if (existing === null) options.terminal.out(`First run ${path}\n`);
  } catch (error) {
    world.log.warn(
      { path, error: messageOf(error) },
      'first-run.json was not written; check the permissions of the data folder',
    );
  }
}

/** Null when the file is missing or has another format. */
function readFacts(path: string): Facts | null {
  try {
    const fileFacts: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof fileFacts === 'object' && fileFacts !== null ? (fileFacts as Facts) : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically. Other users can never read it. */
function replaceFile(path: string, text: string): void {
  const temporaryPath = `${path}.${process.pid}`;
  rmSync(temporaryPath, { force: true });
  writeFileSync(temporaryPath, text, { mode: 0o600, flag: 'wx' });
  renameSync(temporaryPath, path);
}
