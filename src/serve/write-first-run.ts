// `first-run.json`: what whoever comes first needs to know, secrets included, for the owner's eyes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../kernel/fault.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import type { Run } from './run.ts';

/** The first start leaves a note for whoever comes next; later starts leave it alone. */
export function writeFirstRun(
  { config, world, options }: Run,
  facts: Readonly<Record<string, string>>,
): void {
  const path = join(config.dataDir, 'first-run.json');
  const note = { version: options.version, at: new Date(world.clock.now()), ...facts };
  try {
    makeFolder(config.dataDir, 0o700);
    writeFileSync(path, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    options.terminal.out(`First run ${path}\n`);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) world.log.warn({ path, error: messageOf(error) }, 'first-run.json not written');
  }
}
