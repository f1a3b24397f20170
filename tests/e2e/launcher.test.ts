// The launcher finds the locked Node from any folder, and prints the remedy when there is none.
import { chmodSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeEmptyFolder, projectRoot, runProgram } from '../support/checkout.ts';

const printArguments = 'console.log(JSON.stringify(process.argv.slice(1)))';
let folder: ReturnType<typeof makeEmptyFolder>;

beforeEach(() => {
  folder = makeEmptyFolder();
});
afterEach(() => folder.remove());

describe('with the locked Node', () => {
  const node24 = join(projectRoot, 'bin/node24');

  it('runs the locked Node, regardless of the system’s Node', () => {
    const { stdout } = runProgram(node24, ['-p', 'process.execPath'], { cwd: '/' });
    expect(stdout).toMatch(/node_modules\/node-[a-z0-9-]+\/bin\/node\n$/);
  });

  it('finds its files through chained links from another folder', () => {
    symlinkSync(node24, join(folder.path, 'first'));
    symlinkSync('first', join(folder.path, 'second link'));
    const result = runProgram('./second link', ['-p', 'process.version'], { cwd: folder.path });
    expect(result).toEqual({ status: 0, stdout: expect.stringMatching(/^v24\./), stderr: '' });
  });

  it('passes arguments to the program unchanged', () => {
    const args = ['', 'two words', '"quoted"', '$HOME', '*', '-x'];
    const result = runProgram(node24, ['-e', printArguments, '--', ...args], { cwd: '/' });
    expect(JSON.parse(result.stdout)).toEqual(args);
  });

  it('returns the exit status of the program', () => {
    expect(runProgram(node24, ['-e', 'process.exit(7)'], { cwd: '/' }).status).toBe(7);
  });

  it('replaces its process with the program, so signals reach the program', () => {
    const script = `"${node24}" -e 'console.log(process.ppid)' && echo $$`;
    const [parent, shell] = runProgram('/bin/sh', ['-c', script], { cwd: '/' }).stdout.split('\n');
    expect(parent).toBe(shell);
  });
});

describe('without the locked Node', () => {
  beforeEach(() => {
    cpSync(join(projectRoot, 'bin'), join(folder.path, 'bin'), { recursive: true });
    mkdirSync(join(folder.path, 'path'));
    for (const tool of ['sh', 'readlink', 'dirname', 'cat']) {
      const toolPath = ['/usr/bin', '/bin'].map((place) => join(place, tool)).find(hasFile) ?? tool;
      symlinkSync(toolPath, join(folder.path, 'path', tool));
    }
  });

  const launch = (name: string, args: readonly string[]) =>
    runProgram(join(folder.path, 'bin', name), args, {
      cwd: '/',
      env: { PATH: join(folder.path, 'path') },
    });

  it('reports that the system has no Node', () => {
    const result = launch('radar', ['serve']);
    const message = `radar: needs Node 24 or later. Run 'npm ci' in ${realpathSync(folder.path)}`;
    expect(result).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('reports that the system’s Node is too old', () => {
    writeFakeNode(join(folder.path, 'path/node'), 20);
    const result = launch('radar', ['serve']);
    const message = expect.stringContaining('needs Node 24 or later');
    expect(result).toEqual({ status: 1, stdout: '', stderr: message });
  });

  it.each([
    ['a clone', 'src/main.ts'],
    ['an installed package', 'dist/main.js'],
  ])('uses the system’s Node when it is new enough, in %s', (_name, main) => {
    writeFakeNode(join(folder.path, 'path/node'), 24);
    const file = join(realpathSync(folder.path), main);
    mkdirSync(dirname(file));
    writeFileSync(file, '');
    const result = launch('radar', ['source', 'a name']);
    expect(result.status).toBe(0);
    expect(result.stdout.split('\n')).toEqual(expect.arrayContaining([file, 'a name']));
  });

  it('ignores a Node that was locked for another platform', () => {
    const foreignFolder = join(folder.path, 'node_modules/node-other-chip/bin');
    mkdirSync(foreignFolder, { recursive: true });
    writeFileSync(join(foreignFolder, 'node'), Buffer.from('7f454c46000000000000', 'hex'));
    chmodSync(join(foreignFolder, 'node'), 0o755);
    writeFakeNode(join(folder.path, 'path/node'), 26);
    expect(launch('node24', ['x']).stdout.split('\n')).toContain('x');
  });
});

/** Writes a program that reports this Node version and prints its arguments, one per line. */
function writeFakeNode(path: string, major: number): void {
  const versionLine = `[ "$1" = --version ] && { echo v${major}.0.0; exit; }`;
  const text = `#!/bin/sh\n${versionLine}\nprintf '%s\\n' "$@"\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

function hasFile(path: string): boolean {
  try {
    return realpathSync(path) !== '';
  } catch {
    return false;
  }
}
