// The lock around starting and stopping behaves the same with flock(1) and with perl, which
// replaces it. It belongs to the open file and ends with its last holder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../../support/checkout.ts';
import { openFolder } from './start-user.ts';

const script = readFileSync(join(projectRoot, 'src/store/embedded-postgres/lock.sh'), 'utf8');
const findProgram = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`])
    .stdout.toString()
    .trim();

describe.each(['flock', 'perl'])('by %s', (program) => {
  const path = findProgram(program);

  /** A PATH that contains only this program. */
  function environment() {
    const bin = join(openFolder(), 'bin');
    mkdirSync(bin);
    symlinkSync(path, join(bin, program));
    return { PATH: bin };
  }

  it.skipIf(path === '')(
    'the lock has several shared owners or one exclusive owner until they end',
    async () => {
      const env = environment();
      const file = join(openFolder(), 'lock');
      const start = async (mode: string): Promise<ChildProcess | null> => {
        const lock = openSync(file, 'a');
        const child = spawn(
          '/bin/sh',
          ['-c', `${script}\nlock ${mode} 3 && echo locked && read -r _`],
          {
            env,
            stdio: ['pipe', 'pipe', 'inherit', lock],
          },
        );
        closeSync(lock);
        onTestFinished(() => void child.kill('SIGKILL'));
        const locked = new Promise<boolean>((resolve) => {
          child.stdout?.once('data', () => resolve(true));
          child.once('exit', () => resolve(false));
        });
        return (await locked) ? child : null;
      };
      const end = (child: ChildProcess | null) =>
        new Promise((resolve) => {
          child?.once('exit', resolve);
          child?.kill('SIGKILL');
        });

      const [first, second] = [await start('-s'), await start('-s')];
      expect(await start('-xn')).toBeNull();
      await end(first);
      expect(await start('-xn')).toBeNull();
      await end(second);
      const exclusiveOwner = await start('-xn');
      expect(exclusiveOwner).not.toBeNull();
      expect(await start('-xn')).toBeNull();
      const waiting = start('-s');
      await end(exclusiveOwner);
      expect(await waiting).not.toBeNull();
    },
  );
});
