// Makes a folder with all that lead to it. Node's own recursive `mkdir` never returns where a
// parent can hold nothing (below /proc), and calls a read-only file system a missing file.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Leaves one that is there alone. Fails with the system's error where it can be none. */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
