// Runs a PostgreSQL primary and its streaming standby, with the programs of Debian's package.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';

export type ReplicatedServer = {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  stopStandby(): void;
  startStandby(): void;
  /** Makes the standby a primary. */
  promoteStandby(): void;
};

/** `initdb`: the path of PostgreSQL's program. */
export async function openReplicatedServer(initdb: string): Promise<ReplicatedServer> {
  const bin = dirname(realpathSync(initdb));
  // Root cannot run PostgreSQL; Debian's package creates the user `postgres`.
  const user = process.getuid?.() === 0 ? 'postgres' : null;
  const folder = mkdtempSync(join(tmpdir(), 'radar-replica-'));
  if (user !== null) chownSync(folder, idOf('-u', user), idOf('-g', user));
  const run = (program: string, args: readonly string[]) => {
    const command = [join(bin, program), ...args];
    const [file = '', ...fileArgs] =
      user === null ? command : ['runuser', '-u', user, '--', ...command];
    execFileSync(file, fileArgs, { cwd: folder, stdio: 'ignore' });
  };
  const start = (name: string, port: number) => {
    const options = `-F -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    const data = join(folder, name);
    run('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, `${name}.log`), '-o', options]);
  };
  const stop = (name: string) =>
    run('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', join(folder, name)]);
  atEnd(() => {
    for (const name of ['standby', 'primary']) {
      try {
        stop(name);
      } catch {
        // The server has stopped already.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const primaryData = join(folder, 'primary');
  run('initdb', [
    '-D',
    primaryData,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  start('primary', primaryPort);
  const standbyData = join(folder, 'standby');
  run('pg_basebackup', [
    '-D',
    standbyData,
    '-R',
    '-X',
    'stream',
    '--checkpoint=fast',
    '-d',
    `postgresql://postgres@127.0.0.1:${primaryPort}`,
  ]);
  start('standby', standbyPort);
  const urlOn = (port: number) => `postgresql://postgres@127.0.0.1:${port}/postgres`;
  return {
    primaryUrl: urlOn(primaryPort),
    standbyUrl: urlOn(standbyPort),
    stopStandby: () => stop('standby'),
    startStandby: () => start('standby', standbyPort),
    promoteStandby: () => run('pg_ctl', ['promote', '-w', '-D', standbyData]),
  };
}

const idOf = (flag: '-u' | '-g', user: string): number =>
  Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
