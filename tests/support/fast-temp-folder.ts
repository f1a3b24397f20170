// The folder of test databases: in memory where there is space and programs may run, otherwise the
// temporary folder. No test simulates a power failure, so a disk adds nothing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** The size of /dev/shm in many containers is only 64 MB. */
const NEEDED_BYTES = 2 * 1024 ** 3;

let chosen: string | null = null;

/** The folder in which a test creates its own. */
export function quickFolder(): string {
  chosen ??= isRoomy() && mayRun() ? IN_MEMORY : tmpdir();
  return chosen;
}

function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** An embedded server may have its programs copied to its data. */
function mayRun(): boolean {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(IN_MEMORY, 'radar-try-'));
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
