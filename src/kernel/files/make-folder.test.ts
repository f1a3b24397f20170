import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'radar-test-'));
afterAll(() => rmSync(root, { recursive: true }));

it('creates a folder with its parents, and accepts an existing folder', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path, 0o700);
  makeFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('reports a file in place of a folder', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(root, 'file/below'))).toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(process.platform === 'linux')('throws where the system permits no folder', () => {
  expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT/);
});
