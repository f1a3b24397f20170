// Starts the server of a data folder, unless somebody else does or did.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../kernel/log.ts';
import type { ServerUser } from './choose-user.ts';
import { cannotStart } from './explain-failure.ts';
import { readPostmasterPid, type Server } from './find-server.ts';
import { type Folders, openInFolder } from './folders.ts';
import { prepareCluster } from './init-cluster.ts';
import type { Runtime } from './locate-runtime.ts';
import { serverSettings } from './server-settings.ts';
import { shellScript } from './shell-script.ts';
import { port, prepareSocketFolder } from './socket-folder.ts';

export type Setup = {
  readonly folders: Folders;
  readonly runtime: Runtime;
  readonly user: ServerUser;
  readonly isDurable: boolean;
  /** PostgreSQL's, over ours. */
  readonly settings: Readonly<Record<string, string>>;
};

type StartOptions = { readonly mayCreate: boolean; readonly signal: AbortSignal };

/** The server when it is ready; null when another one is starting, running or ending. */
export async function startServer(
  log: Log,
  setup: Setup,
  { mayCreate, signal }: StartOptions,
): Promise<Server | null> {
  const { folders, runtime, user, isDurable } = setup;
  const child = spawnWaiting(setup);
  try {
    if (!(await hasLock(child))) return null;
    await prepareCluster(folders, runtime, user, { isDurable, mayCreate });
    const known = readPostmasterPid(folders.postmasterPid)?.socketFolder ?? null;
    const socketFolder = prepareSocketFolder(folders.dataDir, user.owner, known);
    const saidBefore = statSync(folders.log).size;
    child.stdin.end(`${socketFolder}\n`);
    if (await becomesReady(log, folders, child, signal)) return { pid: child.pid, socketFolder };
    const words = readFileSync(folders.log).subarray(saidBefore).toString();
    throw cannotStart(folders.dataDir, complaints(words));
  } finally {
    child.stdin.destroy();
    child.stdout.destroy();
    child.unref();
  }
}

type ServerProcess = ChildProcessByStdio<Writable, Readable, null> & { readonly pid: number };

/** run-server.sh as the server's user; it becomes the server once it is told the socket's folder. */
function spawnWaiting({ folders, runtime, user, isDurable, settings }: Setup): ServerProcess {
  const { file, args, options } = user.spawnable([
    ...shellScript('run-server'),
    folders.postmasterPid,
    ...[runtime.postgres, '-D', folders.cluster, '-p', String(port)],
    ...serverSettings(isDurable, settings),
  ]);
  const lock = openInFolder(folders, folders.runningLock);
  const log = openLog(folders);
  // In a session of its own: it outlives us while others use it, and a terminal's Ctrl-C is ours.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', log, lock],
  }) as ServerProcess;
  // The child alone has the lock now.
  for (const descriptor of [log, lock]) closeSync(descriptor);
  child.stdin.on('error', () => {});
  return child;
}

const longestLogBytes = 5_000_000;

function openLog(folders: Folders): number {
  const size = statSync(folders.log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > longestLogBytes) renameSync(folders.log, `${folders.log}.1`);
  return openInFolder(folders, folders.log);
}

/** False when it ended because another server's processes have the lock. */
function hasLock(child: ServerProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve(false));
    child.stdout.once('data', () => resolve(true));
  });
}

/** False when it ended instead. Recovery after a crash may take its time. */
async function becomesReady(
  log: Log,
  { postmasterPid, dataDir }: Folders,
  child: ServerProcess,
  signal: AbortSignal,
): Promise<boolean> {
  for (let round = 1; child.exitCode === null && child.signalCode === null; round += 1) {
    const told = readPostmasterPid(postmasterPid);
    if (told?.pid === child.pid && told.isReady) return true;
    await sleep(10, undefined, { signal });
    if (round % 1000 === 0) log.info({ dataDir }, 'the database is still starting (recovering)');
  }
  return false;
}

/** What matters of the server's words: not its reports, and no times and process ids. */
function complaints(words: string): string {
  return words
    .split('\n')
    .map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('LOG:'))
    .join(' ');
}
