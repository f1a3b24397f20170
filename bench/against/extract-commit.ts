// Extracts a commit of this repository into a temporary folder that can run. Its packages are those
// of this tree or a new installation. The benchmarks are copied from this tree, so the same code
// measures both versions.
import { execFileSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ExtractedCommit = {
  readonly root: string;
  /** Short hash and subject. */
  readonly label: string;
  remove(): void;
};

/** The error has a message for the user when the commit is unknown or cannot be installed. */
export function extractCommit(repository: string, commit: string): ExtractedCommit {
  const git = (...args: string[]) => run(repository, 'git', args);
  const hash = resolveCommit(git, commit);
  const label = git('log', '-1', '--format=%h %s', hash).trim();
  const root = mkdtempSync(join(tmpdir(), 'bench-against-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    const archive = join(root, 'commit.tar');
    git('archive', '--format=tar', `--output=${archive}`, hash);
    run(root, 'tar', ['-xf', archive]);
    rmSync(archive);
    if (hasSamePackages(repository, root)) {
      symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    } else {
      run(root, 'npm', ['ci', '--no-audit', '--no-fund']);
    }
    rmSync(join(root, 'bench'), { recursive: true, force: true });
    cpSync(join(repository, 'bench'), join(root, 'bench'), { recursive: true });
    return { root, label, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The number of files that differ from the last commit, and whether that commit is `commit`. */
export function describeTree(repository: string, commit: string) {
  const git = (...args: string[]) => run(repository, 'git', args);
  const changedFiles = git('status', '--porcelain').split('\n').filter(Boolean).length;
  const isSameCommit = resolveCommit(git, 'HEAD') === resolveCommit(git, commit);
  const label = git('log', '-1', '--format=%h %s').trim();
  return { changedFiles, isSameCommit, label };
}

type Git = (...args: string[]) => string;

function resolveCommit(git: Git, commit: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`).trim();
  } catch {
    throw new Error(`no such commit here: ${commit}`);
  }
}

function hasSamePackages(firstRoot: string, secondRoot: string): boolean {
  const readLockFile = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  return readLockFile(firstRoot) === readLockFile(secondRoot);
}

function run(cwd: string, program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stderr, message } = error as SpawnSyncReturns<string> & Error;
    throw new Error(`${program} ${args[0]}: ${stderr?.trim() || message}`);
  }
}
