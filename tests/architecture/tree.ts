// Reads the source files that the rules check, as they are on disk. Untracked files that Git does
// not ignore are included.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from './rule.ts';
import { readSource, type Source } from './source.ts';

const folders = ['src', 'demo', 'bench', 'tests', 'examples', 'packages', 'migrations'];
const kinds = /\.([cm]?[jt]sx?|sql|sh)$/;
/** Malformed test inputs and generated files, which no rule checks. */
const uncheckedFiles = /^tests\/(corpus|fixtures)\//;

/** Reads the project at `root`. Deleted files that are not committed yet are skipped. */
export function readTree(root: string): readonly Source[] {
  const pathList = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(pathList.split('\0'))]
    .filter(isChecked)
    .sort()
    .filter((path) => existsSync(join(root, path)))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
}

function isChecked(path: string): boolean {
  const [top = ''] = path.split('/');
  if (uncheckedFiles.test(path)) return false;
  if (top === 'bin' || top === '.ci') return true;
  return kinds.test(path) && (folders.includes(top) || !path.includes('/'));
}

/** The files of a tree in the scope of a rule. */
export function inScope(rule: Rule, tree: readonly Source[]): readonly Source[] {
  return tree.filter(({ path }) => rule.scope(path));
}
