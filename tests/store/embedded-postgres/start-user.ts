// Starts processes that use an embedded server, and checks that no process remains after them.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { projectRoot } from '../../support/checkout.ts';
import { fastTempFolder } from '../../support/fast-temp-folder.ts';
import type { UserMessage } from './user-process.ts';

type OpenMessage = Extract<UserMessage, { kind: 'open' }>;

/** The time limit for an event. After a timeout, the failure lists the events that occurred. */
export const EVENT_TIMEOUT_MS = 90_000;

/** The compile cache of bin/radar: dozens of processes start here with the same code. */
const compileCache = join(projectRoot, 'node_modules/.cache/radar');

export type UserProcess = {
  readonly pid: number;
  readonly messages: readonly UserMessage[];
  /** The message after the server has opened. Rejects when it did not open. */
  waitForOpen(): Promise<OpenMessage>;
  /** The message of the Fault that ended the process. */
  waitForFailure(): Promise<string>;
  waitForLog(message: string): Promise<void>;
  close(): Promise<void>;
  kill(): Promise<void>;
};

export type UserOptions = {
  /** The root of the checkout that contains the program; this checkout when absent. */
  readonly checkout?: string;
  readonly isDurable?: boolean;
  readonly settings?: readonly string[];
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A prefix of the command line. */
  readonly prefix?: readonly string[];
};

/** An empty folder that is removed after the test. Every user may enter it, as in /var/lib. */
export function openFolder(name = 'data'): string {
  const parentFolder = mkdtempSync(join(fastTempFolder(), 'radar-test-'));
  chmodSync(parentFolder, 0o755);
  onTestFinished(async () => {
    // A guard finds its server by a file in the folder.
    await waitForProcessEnds(parentFolder);
    rmSync(parentFolder, { recursive: true, force: true });
  });
  const folder = join(parentFolder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function startUser(dataDir: string, options: UserOptions = {}): UserProcess {
  const {
    checkout = projectRoot,
    isDurable = false,
    settings = [],
    uid,
    env,
    prefix = [],
  } = options;
  const program = join(checkout, 'tests/store/embedded-postgres/user-process.ts');
  const args = [program, dataDir, isDurable ? 'durable' : 'quick', ...settings];
  const [file = '', ...fileArgs] = [...prefix, process.execPath, ...args];
  const child = spawn(file, fileArgs, {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return userProcess(child, dataDir, ended, kill);
}

function userProcess(
  child: ChildProcess,
  dataDir: string,
  ended: Promise<void>,
  kill: () => Promise<void>,
): UserProcess {
  const messages: UserMessage[] = [];
  const outputEnded = new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    lines.on('line', (line) => messages.push(JSON.parse(line)));
    lines.once('close', resolve);
  });
  const waitForMessage = (find: () => UserMessage | undefined) =>
    vi.waitFor(
      () => {
        const foundMessage = find();
        expect(foundMessage, `${dataDir} ${JSON.stringify(messages)}`).toBeDefined();
        return foundMessage as UserMessage;
      },
      { timeout: EVENT_TIMEOUT_MS, interval: 5 },
    );
  return {
    pid: child.pid ?? -1,
    messages,
    waitForOpen: async () => {
      const firstMessage = await waitForMessage(() =>
        messages.find(({ kind }) => kind === 'open' || kind === 'fault'),
      );
      expect(firstMessage.kind, JSON.stringify(firstMessage)).toBe('open');
      return firstMessage as OpenMessage;
    },
    waitForFailure: async () => {
      await ended;
      await outputEnded;
      expect(messages.at(-1)).toMatchObject({ kind: 'fault', code: 'temporarily_unavailable' });
      return (messages.at(-1) as Extract<UserMessage, { kind: 'fault' }>).message;
    },
    waitForLog: async (message) => {
      await waitForMessage(() =>
        messages.find((line) => line.kind === 'log' && line.message === message),
      );
    },
    close: async () => {
      child.stdin?.end('close\n');
      await ended;
      await outputEnded;
      expect(messages.at(-1)).toEqual({ kind: 'closed' });
    },
    kill,
  };
}

/** Runs one statement on a new connection; rows are arrays. */
export async function query(connection: OpenMessage['connection'], statement: string) {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows as unknown[][];
  } finally {
    await client.end();
  }
}

export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** The processes that name the folder in their command line: servers, guards, initdb, users. */
export function processesOf(dataDir: string): { readonly pid: number; readonly command: string }[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandLine(name) }))
    .filter(({ command }) => command.includes(dataDir));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function guardsOf(dataDir: string): number[] {
  return processesOf(dataDir)
    .filter(({ command }) => command.includes('radar-guard'))
    .map(({ pid }) => pid);
}

/** The postmaster and all its children. */
export function serversOf(dataDir: string): number[] {
  const postmaster = postmasterOf(dataDir);
  const parentOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
    } catch {
      return undefined;
    }
  };
  const children = readdirSync('/proc').filter((pid) => parentOf(pid) === String(postmaster));
  return [postmaster, ...children.map(Number)];
}

/** An unrelated program of the server's user. */
export function startBystander(dataDir: string): ChildProcess {
  const uid = process.getuid?.() === 0 ? statSync(join(dataDir, 'postgres')).uid : undefined;
  const child = spawn('sh', ['-c', 'read _'], { cwd: '/', ...(uid === undefined ? {} : { uid }) });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Resolves when no process of the folder runs and the server's pid file is removed. */
export async function waitForNoProcesses(dataDir: string): Promise<void> {
  await waitForProcessEnds(dataDir);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
}

async function waitForProcessEnds(folder: string): Promise<void> {
  const expectNone = () => expect(processesOf(folder)).toEqual([]);
  await vi.waitFor(expectNone, { timeout: EVENT_TIMEOUT_MS, interval: 20 });
}

/** Number of starts of a server in the folder. */
export function countStarts(dataDir: string): number {
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  return log.split('LOG:  starting PostgreSQL').length - 1;
}
