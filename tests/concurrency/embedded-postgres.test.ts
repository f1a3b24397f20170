// The embedded server while its processes start, stop and are killed. It runs exactly as long as
// one of them lives.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import {
  countStarts,
  EVENT_TIMEOUT_MS,
  guardsOf,
  openFolder,
  postmasterOf,
  query,
  serversOf,
  startBystander,
  startUser,
  waitForNoProcesses,
} from '../store/embedded-postgres/start-user.ts';

/** A path in the command line, by which the test finds a process. */
const hasProc = existsSync('/proc/self/cmdline');

/** All processes end at the same moment, so that none sees another one's end. */
function killAll(pids: readonly number[]): void {
  for (const signal of ['SIGSTOP', 'SIGKILL']) for (const pid of pids) send(signal, pid);
}

/** Sends a signal to a process that may have ended already. */
function send(signal: string, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

describe.skipIf(!hasProc)('processes with one data folder', () => {
  it('share one server when they start at once on a fresh folder', async () => {
    const dataDir = openFolder();
    const users = Array.from({ length: 5 }, () => startUser(dataDir));
    const messages = await Promise.all(users.map((user) => user.waitForOpen()));
    expect(messages.filter(({ startedHere }) => startedHere)).toHaveLength(1);
    expect(new Set(messages.map(({ connection }) => connection.host)).size).toBe(1);
    expect(countStarts(dataDir)).toBe(1);
    await Promise.all(users.map((user) => user.close()));
    await waitForNoProcesses(dataDir);
    expect(readdirSync(dataDir).sort()).toEqual([
      'postgres',
      'postgres.log',
      'postgres.running.lock',
      'postgres.users.lock',
    ]);
  });

  it('stop the server when the last one ends, in any order', async () => {
    const dataDir = openFolder();
    const first = startUser(dataDir);
    const { connection } = await first.waitForOpen();
    const second = startUser(dataDir);
    await second.waitForOpen();
    await first.close();
    const third = startUser(dataDir);
    expect(await third.waitForOpen()).toEqual({ kind: 'open', startedHere: false, connection });
    await second.kill();
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await third.close();
    await waitForNoProcesses(dataDir);
    expect(existsSync(connection.host)).toBe(false);
    expect(countStarts(dataDir)).toBe(1);
  });

  it('leave no server when they are killed', async () => {
    const dataDir = openFolder();
    const users = [startUser(dataDir), startUser(dataDir), startUser(dataDir)];
    await Promise.all(users.map((user) => user.waitForOpen()));
    killAll(users.map(({ pid }) => pid));
    await waitForNoProcesses(dataDir);
  });

  it('get a server while the last other process stops it', async () => {
    const dataDir = openFolder();
    let leaving = startUser(dataDir);
    await leaving.waitForOpen();
    for (let turn = 0; turn < 8; turn += 1) {
      const coming = startUser(dataDir);
      if (turn % 2 === 0) await leaving.kill();
      else await leaving.close();
      const { connection } = await coming.waitForOpen();
      expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
      leaving = coming;
      expect(coming.messages.map(({ kind }) => kind)).toEqual(['open']);
    }
    await leaving.close();
    await waitForNoProcesses(dataDir);
  });

  const entries = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  const half = (dataDir: string) => {
    const name = entries(dataDir).find((entry) => entry.startsWith('postgres.new-'));
    return name === undefined ? undefined : join(dataDir, name);
  };
  const killMoments: Readonly<Record<string, (dataDir: string) => unknown>> = {
    'its guard is there': (dataDir) => guardsOf(dataDir).length > 0,
    'it has locked the folder': (dataDir) => existsSync(join(dataDir, 'postgres.running.lock')),
    'initdb is asked for': (dataDir) => half(dataDir),
    'initdb is at work': (dataDir) => entries(join(half(dataDir) ?? '', 'base')).length > 0,
    'initdb has written a version': (dataDir) =>
      entries(half(dataDir) ?? '').includes('PG_VERSION'),
    'the cluster is there': (dataDir) => existsSync(join(dataDir, 'postgres')),
    'the server begins': (dataDir) => existsSync(join(dataDir, 'postgres/postmaster.pid')),
  };
  /**
   * A folder whose first process was killed at the right moment; another folder when it was too
   * late.
   */
  async function killedWhen(name: string): Promise<string> {
    for (;;) {
      const dataDir = openFolder();
      const user = startUser(dataDir);
      const state = await vi.waitFor(
        () => {
          const isNow = Boolean(killMoments[name]?.(dataDir));
          const isOver = user.messages.some(({ kind }) => kind !== 'log');
          expect([isNow, isOver]).toContain(true);
          return isNow;
        },
        { timeout: EVENT_TIMEOUT_MS, interval: 1 },
      );
      await user.kill();
      if (state) return dataDir;
    }
  }
  it.each(Object.keys(killMoments))(
    'can use the folder again after a kill when %s',
    async (name) => {
      const dataDir = await killedWhen(name);
      const next = startUser(dataDir);
      const { connection } = await next.waitForOpen();
      expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
      await next.close();
      await waitForNoProcesses(dataDir);
      expect(half(dataDir)).toBeUndefined();
    },
  );
});

describe.skipIf(!hasProc)('a PostgreSQL server', () => {
  it('that is killed is restarted at the same address by one of its users', async () => {
    const dataDir = openFolder();
    const users = [startUser(dataDir), startUser(dataDir), startUser(dataDir)];
    const messages = await Promise.all(users.map((user) => user.waitForOpen()));
    const connection = requirePresent(messages[0], 'the first').connection;
    await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await Promise.all(users.map((user) => user.logged('the database is back')));
    expect(await query(connection, 'SELECT n FROM kept')).toEqual([[7]]);
    expect(countStarts(dataDir)).toBe(2);
    await Promise.all(users.map((user) => user.close()));
    await waitForNoProcesses(dataDir);
  });

  it('is restarted when its socket was removed from the temporary folder', async () => {
    const dataDir = openFolder();
    const user = startUser(dataDir);
    const { connection } = await user.waitForOpen();
    rmSync(connection.host, { recursive: true });
    await user.logged('the database is back');
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await user.close();
    await waitForNoProcesses(dataDir);
  });

  it('is not replaced by an empty one when its folder is removed', async () => {
    const dataDir = openFolder();
    const user = startUser(dataDir);
    await user.waitForOpen();
    const server = postmasterOf(dataDir);
    renameSync(join(dataDir, 'postgres'), join(dataDir, 'moved'));
    process.kill(server, 'SIGKILL');
    await user.logged('the database could not be started');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    renameSync(join(dataDir, 'moved'), join(dataDir, 'postgres'));
    await user.logged('the database is back');
    await user.close();
    await waitForNoProcesses(dataDir);
  });
});

describe.skipIf(!hasProc)('after a crash of the machine or of every process', () => {
  it('a server without supervisors is adopted and finally stopped', async () => {
    const dataDir = openFolder();
    const first = startUser(dataDir);
    const { connection } = await first.waitForOpen();
    const server = postmasterOf(dataDir);
    killAll([...guardsOf(dataDir), first.pid]);
    const next = startUser(dataDir);
    expect(await next.waitForOpen()).toEqual({ kind: 'open', startedHere: false, connection });
    expect(postmasterOf(dataDir)).toBe(server);
    await next.close();
    await waitForNoProcesses(dataDir);
  });

  it('a killed supervisor is replaced', async () => {
    const dataDir = openFolder();
    const user = startUser(dataDir);
    await user.waitForOpen();
    const guards = guardsOf(dataDir);
    expect(guards).toHaveLength(1);
    process.kill(guards[0] ?? 0, 'SIGKILL');
    const check = () => {
      const [next, ...more] = guardsOf(dataDir);
      expect({ next, more }).toEqual({ next: expect.any(Number), more: [] });
      expect(next).not.toBe(guards[0]);
    };
    await vi.waitFor(check, { timeout: EVENT_TIMEOUT_MS });
    await user.kill();
    await waitForNoProcesses(dataDir);
  });

  it('acknowledged commits are kept when every process is killed at once', async () => {
    const dataDir = openFolder();
    const first = startUser(dataDir, { isDurable: true });
    const { connection } = await first.waitForOpen();
    await query(connection, 'CREATE TABLE kept (n int)');
    for (let n = 1; n <= 10; n += 1) {
      await query(connection, `INSERT INTO kept VALUES (${n})`);
    }
    killAll([...guardsOf(dataDir), first.pid, ...serversOf(dataDir)]);
    const next = startUser(dataDir, { isDurable: true });
    const messages = await next.waitForOpen();
    expect(messages).toEqual({ kind: 'open', startedHere: true, connection });
    expect(await query(messages.connection, 'SELECT count(*)::int, max(n) FROM kept')).toEqual([
      [10, 10],
    ]);
    expect(await query(messages.connection, 'SHOW fsync')).toEqual([['on']]);
    await next.close();
    await waitForNoProcesses(dataDir);
  });

  it('a process id of another program does not prevent the start', async () => {
    const dataDir = openFolder();
    const first = startUser(dataDir);
    await first.waitForOpen();
    const file = join(dataDir, 'postgres/postmaster.pid');
    const lines = readFileSync(file, 'utf8').split('\n');
    killAll([...guardsOf(dataDir), first.pid, ...serversOf(dataDir)]);
    const otherProcess = startBystander(dataDir);
    writeFileSync(file, [otherProcess.pid, ...lines.slice(1)].join('\n'));
    const next = startUser(dataDir);
    const { connection, startedHere } = await next.waitForOpen();
    expect(startedHere).toBe(true);
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await next.close();
    await waitForNoProcesses(dataDir);
    expect(otherProcess.exitCode ?? otherProcess.signalCode).toBeNull();
  });
});
