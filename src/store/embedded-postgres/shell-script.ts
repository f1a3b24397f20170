// Reads the two shell scripts of this folder. They are passed to `sh -c` as text, because the
// server's user may not be able to read the checkout, and the checkout may change.
import type { SpawnOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Started processes have the same environment on every machine. */
export const startOptions = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
} as const satisfies SpawnOptions;

/** The command line of `name`.sh with its locks; further arguments become $1, $2… */
export function shellScript(name: 'guard' | 'run-server'): readonly ['sh', '-c', string, string] {
  const readScript = (file: string) =>
    readFileSync(new URL(`./${file}.sh`, import.meta.url), 'utf8');
  return ['sh', '-c', readScript('lock') + readScript(name), `radar-${name}`];
}
