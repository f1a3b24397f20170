import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTree, extractCommit } from './extract-commit.ts';

const repository = mkdtempSync(join(tmpdir(), 'bench-repository-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
const write = (file: string, text: string) => writeFileSync(join(repository, file), text);

beforeAll(() => {
  git('init', '--quiet');
  for (const folder of ['src', 'bench', 'node_modules']) mkdirSync(join(repository, folder));
  write('.gitignore', 'node_modules\n');
  write('package-lock.json', '{}');
  write('node_modules/installed', 'yes');
  write('src/main.ts', 'before');
  write('bench/main.ts', 'old benchmark');
  git('add', '.');
  git('commit', '--quiet', '-m', 'the first state');
  write('src/main.ts', 'after');
  write('bench/main.ts', 'new benchmark');
});

afterAll(() => rmSync(repository, { recursive: true, force: true }));

describe('a commit extracted for a comparison', () => {
  it("has the commit's program, the packages and the benchmarks of this tree", () => {
    const { root, label, remove } = extractCommit(repository, 'HEAD');
    try {
      const read = (file: string) => readFileSync(join(root, file), 'utf8');
      expect(label).toMatch(/^[0-9a-f]{7,} the first state$/);
      expect(read('src/main.ts')).toBe('before');
      expect(read('bench/main.ts')).toBe('new benchmark');
      expect(read('node_modules/installed')).toBe('yes');
    } finally {
      remove();
    }
    expect(existsSync(root)).toBe(false);
    expect(readFileSync(join(repository, 'node_modules/installed'), 'utf8')).toBe('yes');
  });

  it('is refused with its name when it does not exist', () => {
    expect(() => extractCommit(repository, 'nonsense')).toThrow('no such commit here: nonsense');
    expect(() => extractCommit(repository, '--all')).toThrow('no such commit here: --all');
  });

  it('does not extract uncommitted changes, and counts them', () => {
    expect(describeTree(repository, 'HEAD')).toMatchObject({ changedFiles: 2, isSameCommit: true });
  });
});
