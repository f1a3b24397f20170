// A copy of this checkout like a fresh clone, in a folder with a space in its name. Commands run in
// it as in a user's shell.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { quickFolder } from './fast-temp-folder.ts';

export const projectRoot = join(import.meta.dirname, '../..');

export type CommandResult = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** An empty folder with a space in its name. */
export function emptyFolder(): { readonly path: string; remove(): void } {
  const outer = mkdtempSync(join(quickFolder(), 'radar-'));
  const path = join(outer, 'a checkout');
  mkdirSync(path);
  return { path, remove: () => rmSync(outer, { recursive: true, force: true }) };
}

/** Copies every file that git tracks or would track, without installed and generated files. */
export function copyCheckout(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  for (const path of new Set(listed.split('\0'))) {
    const from = join(projectRoot, path);
    if (path === '' || !existsSync(from)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(from, join(to, path));
  }
}

/**
 * The environment of a user's shell: without what npm and the test runner add, and without the
 * programs of `node_modules` on the path.
 */
export function shellEnvironment(): Record<string, string> {
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|INIT_CWD|TEST|DEV|PROD|MODE)/.test(name),
  );
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
  return {
    ...Object.fromEntries(environment.map(([name, value]) => [name, value ?? ''])),
    PATH: path,
  };
}

/** The Node of a user's shell, which npm itself runs on. */
export function systemNode(): string {
  const folders = (shellEnvironment().PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
  return requirePresent(found, "the system's Node");
}

/** Runs a program to its end, without input. */
export function run(
  program: string,
  args: readonly string[],
  at: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): CommandResult {
  const env = at.env ?? shellEnvironment();
  const ran = spawnSync(program, args, { cwd: at.cwd, env, encoding: 'utf8', input: '' });
  return { status: ran.status, stdout: ran.stdout ?? '', stderr: ran.stderr ?? '' };
}
