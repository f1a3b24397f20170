// The lock around starting and stopping behaves the same with flock(1) and with perl, which
// replaces it. The lock belongs to the open file and ends with its last holder.
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
      const startHolder = async (mode: string): Promise<ChildProcess | null> => {
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
        const lockTaken = new Promise<boolean>((resolve) => {
          child.stdout?.once('data', () => resolve(true));
          child.once('exit', () => resolve(false));
        });
        return (await lockTaken) ? child : null;
      };
      const endHolder = (child: ChildProcess | null) =>
        new Promise((resolve) => {
          child?.once('exit', resolve);
          child?.kill('SIGKILL');
        });

      const [firstHolder, secondHolder] = [await startHolder('-s'), await startHolder('-s')];
      expect(await startHolder('-xn')).toBeNull();
      await endHolder(firstHolder);
      expect(await startHolder('-xn')).toBeNull();
      await endHolder(secondHolder);
      const exclusiveOwner = await startHolder('-xn');
      expect(exclusiveOwner).not.toBeNull();
      expect(await startHolder('-xn')).toBeNull();
      const waitingHolder = startHolder('-s');
      await endHolder(exclusiveOwner);
      expect(await waitingHolder).not.toBeNull();
    },
  );
});
