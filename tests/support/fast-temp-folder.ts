// Chooses the folder of test databases: in memory where there is space and programs may run,
// otherwise the temporary folder. No test simulates a power failure, so the data need no disk.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
/** The size of /dev/shm in many containers is only 64 MB. */
const NEEDED_BYTES = 2 * 1024 ** 3;

let chosenFolder: string | null = null;

/** The folder in which tests create their own folders. */
export function fastTempFolder(): string {
  chosenFolder ??= hasSpace() && canRunPrograms() ? MEMORY_FOLDER : tmpdir();
  return chosenFolder;
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/**
 * An embedded server can copy its programs into its data folder, so that folder must allow
 * programs.
 */
function canRunPrograms(): boolean {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(MEMORY_FOLDER, 'radar-try-'));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true });
  }
}
