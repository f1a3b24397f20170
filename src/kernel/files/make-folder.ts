// Creates a folder and its missing parents. Node's recursive `mkdir` never returns below /proc, and
// it reports a read-only file system as a missing file.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Keeps an existing folder. Throws the system's error when the folder cannot be created. */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
