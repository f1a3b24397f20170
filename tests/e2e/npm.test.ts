// A fresh clone installs and runs under an old and a current npm, on the system's Node; `npx radar`
// never prompts.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  copyCheckout,
  emptyFolder,
  projectRoot,
  run,
  shellEnvironment,
  systemNode,
} from '../support/checkout.ts';

describe.each(['npm-10', 'npm-11'])('under %s', (npm) => {
  const folder = emptyFolder();
  const emptyDir = emptyFolder();
  const tool = (name: 'npm' | 'npx') =>
    join(projectRoot, 'node_modules', npm, `bin/${name}-cli.js`);
  /** Installs without a registry and with an empty cache. */
  const alone = () => ({
    ...shellEnvironment(),
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: emptyDir.path,
  });

  beforeAll(() => copyCheckout(folder.path));
  afterAll(() => {
    folder.remove();
    emptyDir.remove();
  });

  it('npm ci installs everything from the lockfile', () => {
    const ran = run(systemNode(), [tool('npm'), 'ci', '--prefer-offline'], { cwd: folder.path });
    expect(ran.stderr).not.toContain('npm error');
    expect(ran.status).toBe(0);
  });

  it('installs the Node that runs all programs, without a link to it', () => {
    rmSync(join(folder.path, 'node_modules/.bin/node'), { force: true });
    const ran = run('bin/node24', ['-p', 'process.version'], { cwd: folder.path });
    expect(ran).toEqual({ status: 0, stdout: expect.stringMatching(/^v24\./), stderr: '' });
  });

  it('npm run starts the project’s programs', () => {
    const args = [tool('npm'), 'run', '-s', 'typecheck', '--', '--version'];
    const ran = run(systemNode(), args, { cwd: folder.path, env: alone() });
    expect(ran.stdout).toMatch(/^Version \d/);
    expect(ran.status).toBe(0);
  });

  it.each(['.', 'src/kernel'])('npx radar --help prints in %s without downloading', (place) => {
    const cwd = join(folder.path, place);
    const ran = run(systemNode(), [tool('npx'), 'radar', '--help'], { cwd, env: alone() });
    expect(ran.stdout).toContain('serve');
    expect(ran.status).toBe(0);
  });
});
