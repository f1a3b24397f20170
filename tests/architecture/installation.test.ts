// Checks the files that an installation uses: exact versions, a lockfile for every platform and
// without hosts, no install scripts, executable launchers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest: Record<string, Record<string, string>> = JSON.parse(readText('package.json'));
type LockedPackage = { readonly version?: string; readonly resolved?: string };
const lockedPackages: Record<string, LockedPackage> = JSON.parse(
  readText('package-lock.json'),
).packages;

const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
  Object.entries(manifest[kind] ?? {}),
);

it('pins every dependency to one version', () => {
  expect(dependencies.length).toBeGreaterThan(20);
  const unpinnedDependencies = dependencies.filter(
    ([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version),
  );
  expect(unpinnedDependencies).toEqual([]);
});

it('the lockfile has the pinned version of every dependency, for every platform', () => {
  const differingDependencies = dependencies.filter(([name, version]) => {
    return lockedPackages[`node_modules/${name}`]?.version !== version.split('@').at(-1);
  });
  expect(differingDependencies).toEqual([]);
});

it('the lockfile contains no host', () => {
  const remotePackages = Object.entries(lockedPackages).filter(([, { resolved }]) =>
    resolved?.includes('://'),
  );
  expect(remotePackages).toEqual([]);
});

it('npm ignores install scripts', () => {
  expect(readText('.npmrc').split('\n')).toContain('ignore-scripts=true');
});

it('programs have the executable bit', () => {
  const modes = execFileSync('git', ['ls-files', '-s', 'bin', '.ci'], {
    cwd: root,
    encoding: 'utf8',
  });
  const scripts = modes.split('\n').filter((row) => /\t(bin\/|\.ci\/(run|postgres-15)$)/.test(row));
  expect(scripts.length).toBeGreaterThanOrEqual(4);
  expect(scripts.filter((row) => !row.startsWith('100755 '))).toEqual([]);
});
