// A fresh clone installs and runs under an old and a current npm, on the system's Node; `npx radar`
// never prompts.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import {
  copyCheckout,
  makeEmptyFolder,
  projectRoot,
  runProgram,
  shellEnvironment,
  systemNode,
} from '../support/checkout.ts';

describe.each(['npm-10', 'npm-11'])('under %s', (npm) => {
  const folder = makeEmptyFolder();
  const emptyCache = makeEmptyFolder();
  const tool = (name: 'npm' | 'npx') =>
    join(projectRoot, 'node_modules', npm, `bin/${name}-cli.js`);
  /** Installs without a registry and with an empty cache. */
  const offlineEnvironment = () => ({
    ...shellEnvironment(),
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: emptyCache.path,
  });

  beforeAll(() => copyCheckout(folder.path));
  atEnd(() => {
    folder.remove();
    emptyCache.remove();
  });

  it('npm ci installs everything from the lockfile', () => {
    const result = runProgram(systemNode(), [tool('npm'), 'ci', '--prefer-offline'], {
      cwd: folder.path,
    });
    expect(result.stderr).not.toContain('npm error');
    expect(result.status).toBe(0);
  });

  it('installs the Node that runs all programs, without a link to it', () => {
    rmSync(join(folder.path, 'node_modules/.bin/node'), { force: true });
    const result = runProgram('bin/node24', ['-p', 'process.version'], { cwd: folder.path });
    expect(result).toEqual({ status: 0, stdout: expect.stringMatching(/^v24\./), stderr: '' });
  });

  it('npm run starts the project’s programs', () => {
    const args = [tool('npm'), 'run', '-s', 'typecheck', '--', '--version'];
    const result = runProgram(systemNode(), args, { cwd: folder.path, env: offlineEnvironment() });
    expect(result.stdout).toMatch(/^Version \d/);
    expect(result.status).toBe(0);
  });

  it.each(['.', 'src/kernel'])('npx radar --help prints in %s without downloading', (place) => {
    const cwd = join(folder.path, place);
    const result = runProgram(systemNode(), [tool('npx'), 'radar', '--help'], {
      cwd,
      env: offlineEnvironment(),
    });
    expect(result.stdout).toContain('serve');
    expect(result.status).toBe(0);
  });
});
