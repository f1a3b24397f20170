// Tests the embedded server while processes start, stop and are killed. The server runs while at
// least one of these processes lives.
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

/** Whether the tests can find processes by their command lines. */
const isProcAvailable = existsSync('/proc/self/cmdline');

/** Kills all processes together, before one process can detect the end of another. */
function killAll(pids: readonly number[]): void {
  for (const signal of ['SIGSTOP', 'SIGKILL']) for (const pid of pids) sendSignal(signal, pid);
}

/** Sends a signal to a process that may have ended already. */
function sendSignal(signal: string, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

describe.skipIf(!isProcAvailable)('processes with one data folder', () => {
  it('share one server when they start at the same time on a new folder', async () => {
    const dataDir = openFolder();
    const users = Array.from({ length: 5 }, () => startUser(dataDir));
    const messages = await Promise.all(users.map((user) => user.waitForOpen()));
    expect(messages.filter(({ isStartedHere }) => isStartedHere)).toHaveLength(1);
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

  it('stop the server when the last process ends, in any order', async () => {
    const dataDir = openFolder();
    const firstUser = startUser(dataDir);
    const { connection } = await firstUser.waitForOpen();
    const secondUser = startUser(dataDir);
    await secondUser.waitForOpen();
    await firstUser.close();
    const thirdUser = startUser(dataDir);
    expect(await thirdUser.waitForOpen()).toEqual({
      kind: 'open',
      isStartedHere: false,
      connection,
    });
    await secondUser.kill();
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await thirdUser.close();
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

  it('receive a new server while the last other process stops the old server', async () => {
    const dataDir = openFolder();
    let leavingUser = startUser(dataDir);
    await leavingUser.waitForOpen();
    for (let turn = 0; turn < 8; turn += 1) {
      const arrivingUser = startUser(dataDir);
      if (turn % 2 === 0) await leavingUser.kill();
      else await leavingUser.close();
      const { connection } = await arrivingUser.waitForOpen();
      expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
      leavingUser = arrivingUser;
      expect(arrivingUser.messages.map(({ kind }) => kind)).toEqual(['open']);
    }
    await leavingUser.close();
    await waitForNoProcesses(dataDir);
  });

  const entries = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  const unfinishedFolder = (dataDir: string) => {
    const name = entries(dataDir).find((entry) => entry.startsWith('postgres.new-'));
    return name === undefined ? undefined : join(dataDir, name);
  };
  const killMoments: Readonly<Record<string, (dataDir: string) => unknown>> = {
    'the guard runs': (dataDir) => guardsOf(dataDir).length > 0,
    'the folder is locked': (dataDir) => existsSync(join(dataDir, 'postgres.running.lock')),
    'initdb is requested': (dataDir) => unfinishedFolder(dataDir),
    'initdb runs': (dataDir) => entries(join(unfinishedFolder(dataDir) ?? '', 'base')).length > 0,
    'initdb has written a version': (dataDir) =>
      entries(unfinishedFolder(dataDir) ?? '').includes('PG_VERSION'),
    'the cluster exists': (dataDir) => existsSync(join(dataDir, 'postgres')),
    'the server starts': (dataDir) => existsSync(join(dataDir, 'postgres/postmaster.pid')),
  };
  /**
   * Returns a folder whose first process was killed at the named moment. It uses another folder
   * when the kill was too late.
   */
  async function folderOfKilledProcess(name: string): Promise<string> {
    for (;;) {
      const dataDir = openFolder();
      const user = startUser(dataDir);
      const isInTime = await vi.waitFor(
        () => {
          const isKillMoment = Boolean(killMoments[name]?.(dataDir));
          const isOver = user.messages.some(({ kind }) => kind !== 'log');
          expect([isKillMoment, isOver]).toContain(true);
          return isKillMoment;
        },
        { timeout: EVENT_TIMEOUT_MS, interval: 1 },
      );
      await user.kill();
      if (isInTime) return dataDir;
    }
  }
  it.each(Object.keys(killMoments))(
    'can use the folder again after a kill when %s',
    async (name) => {
      const dataDir = await folderOfKilledProcess(name);
      const nextUser = startUser(dataDir);
      const { connection } = await nextUser.waitForOpen();
      expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
      await nextUser.close();
      await waitForNoProcesses(dataDir);
      expect(unfinishedFolder(dataDir)).toBeUndefined();
    },
  );
});

describe.skipIf(!isProcAvailable)('a PostgreSQL server', () => {
  it('is restarted at the same address by one of its users after a kill', async () => {
    const dataDir = openFolder();
    const users = [startUser(dataDir), startUser(dataDir), startUser(dataDir)];
    const messages = await Promise.all(users.map((user) => user.waitForOpen()));
    const connection = requirePresent(messages[0], 'the first').connection;
    await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await Promise.all(users.map((user) => user.waitForLog('the database runs again')));
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
    await user.waitForLog('the database runs again');
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
    await user.waitForLog('the database could not be started');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    renameSync(join(dataDir, 'moved'), join(dataDir, 'postgres'));
    await user.waitForLog('the database runs again');
    await user.close();
    await waitForNoProcesses(dataDir);
  });
});

describe.skipIf(!isProcAvailable)('after a crash of the machine or of every process', () => {
  it('a new process uses a server without a guard, and finally stops it', async () => {
    const dataDir = openFolder();
    const firstUser = startUser(dataDir);
    const { connection } = await firstUser.waitForOpen();
    const server = postmasterOf(dataDir);
    killAll([...guardsOf(dataDir), firstUser.pid]);
    const nextUser = startUser(dataDir);
    expect(await nextUser.waitForOpen()).toEqual({
      kind: 'open',
      isStartedHere: false,
      connection,
    });
    expect(postmasterOf(dataDir)).toBe(server);
    await nextUser.close();
    await waitForNoProcesses(dataDir);
  });

  it('a killed guard is replaced', async () => {
    const dataDir = openFolder();
    const user = startUser(dataDir);
    await user.waitForOpen();
    const guards = guardsOf(dataDir);
    expect(guards).toHaveLength(1);
    process.kill(guards[0] ?? 0, 'SIGKILL');
    const checkGuards = () => {
      const [newGuard, ...otherGuards] = guardsOf(dataDir);
      expect({ newGuard, otherGuards }).toEqual({ newGuard: expect.any(Number), otherGuards: [] });
      expect(newGuard).not.toBe(guards[0]);
    };
    await vi.waitFor(checkGuards, { timeout: EVENT_TIMEOUT_MS });
    await user.kill();
    await waitForNoProcesses(dataDir);
  });

  it('acknowledged commits are kept when all processes are killed together', async () => {
    const dataDir = openFolder();
    const firstUser = startUser(dataDir, { isDurable: true });
    const { connection } = await firstUser.waitForOpen();
    await query(connection, 'CREATE TABLE kept (n int)');
    for (let row = 1; row <= 10; row += 1) {
      await query(connection, `INSERT INTO kept VALUES (${row})`);
    }
    killAll([...guardsOf(dataDir), firstUser.pid, ...serversOf(dataDir)]);
    const nextUser = startUser(dataDir, { isDurable: true });
    const openMessage = await nextUser.waitForOpen();
    expect(openMessage).toEqual({ kind: 'open', isStartedHere: true, connection });
    expect(await query(connection, 'SELECT count(*)::int, max(n) FROM kept')).toEqual([[10, 10]]);
    expect(await query(connection, 'SHOW fsync')).toEqual([['on']]);
    await nextUser.close();
    await waitForNoProcesses(dataDir);
  });

  it('a process id of another program does not prevent the start', async () => {
    const dataDir = openFolder();
    const firstUser = startUser(dataDir);
    await firstUser.waitForOpen();
    const file = join(dataDir, 'postgres/postmaster.pid');
    const lines = readFileSync(file, 'utf8').split('\n');
    killAll([...guardsOf(dataDir), firstUser.pid, ...serversOf(dataDir)]);
    const otherProcess = startBystander(dataDir);
    writeFileSync(file, [otherProcess.pid, ...lines.slice(1)].join('\n'));
    const nextUser = startUser(dataDir);
    const { connection, isStartedHere } = await nextUser.waitForOpen();
    expect(isStartedHere).toBe(true);
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await nextUser.close();
    await waitForNoProcesses(dataDir);
    expect(otherProcess.exitCode ?? otherProcess.signalCode).toBeNull();
  });
});
