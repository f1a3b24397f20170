// Copies this checkout like a fresh clone, into a folder with a space in its name. Commands run in
// it as in a user's shell.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { fastTempFolder } from './fast-temp-folder.ts';

export const projectRoot = join(import.meta.dirname, '../..');

export type CommandResult = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** An empty folder with a space in its name. */
export function makeEmptyFolder(): { readonly path: string; remove(): void } {
  const parentFolder = mkdtempSync(join(fastTempFolder(), 'radar-'));
  const path = join(parentFolder, 'a checkout');
  mkdirSync(path);
  return { path, remove: () => rmSync(parentFolder, { recursive: true, force: true }) };
}

/** Copies every file that git tracks or would track, without installed and generated files. */
export function copyCheckout(targetFolder: string): void {
  const pathList = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  for (const path of new Set(pathList.split('\0'))) {
    const source = join(projectRoot, path);
    if (path === '' || !existsSync(source)) continue;
    mkdirSync(dirname(join(targetFolder, path)), { recursive: true });
    cpSync(source, join(targetFolder, path));
  }
}

/**
 * The environment of a user's shell: without the variables of npm and the test runner, and without
 * the programs of `node_modules` on the path.
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

/** The Node of a user's shell, which also runs npm. */
export function systemNode(): string {
  const folders = (shellEnvironment().PATH ?? '').split(delimiter);
  const nodePath = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
  return requirePresent(nodePath, "the system's Node");
}

/** Runs a program to its end, without input. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): CommandResult {
  const env = options.env ?? shellEnvironment();
  const result = spawnSync(program, args, { cwd: options.cwd, env, encoding: 'utf8', input: '' });
  return { status: result.status, stdout: result.stdout ?? '', stderr: result.stderr ?? '' };
}
