// Starts the server of a data folder, unless another process starts it.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../kernel/observability/log.ts';
import { explainFailedStart } from './explain-failure.ts';
import { readPostmasterPid, type Server } from './find-server.ts';
import { type Folders, openInFolder } from './folders.ts';
import { prepareCluster } from './init-cluster.ts';
import { serverSettings } from './server-settings.ts';
import type { Setup } from './setup.ts';
import { shellScript } from './shell-script.ts';
import { port, prepareSocketFolder } from './socket-folder.ts';

type StartOptions = { readonly mayCreate: boolean; readonly signal: AbortSignal };

/** The server when it is ready; null when another server is starting, running or ending. */
export async function startServer(
  log: Log,
  setup: Setup,
  { mayCreate, signal }: StartOptions,
): Promise<Server | null> {
  const { folders, user } = setup;
  const { child, lock } = spawnRunServer(setup);
  try {
    if (!(await waitForLock(child, folders))) return null;
    await prepareCluster(setup, lock, { mayCreate });
    const previousFolder = readPostmasterPid(folders.postmasterPid)?.socketFolder ?? null;
    const socketFolder = prepareSocketFolder(folders.dataDir, user.owner, previousFolder);
    const logSizeBefore = statSync(folders.log).size;
    child.stdin.end(`${socketFolder}\n`);
    if (await waitUntilReady(log, folders, child, signal)) return { pid: child.pid, socketFolder };
    const output = readFileSync(folders.log).subarray(logSizeBefore).toString();
    throw explainFailedStart(folders.dataDir, {
      output,
      status: child.signalCode ?? child.exitCode,
    });
  } finally {
    closeSync(lock);
    child.stdin.destroy();
    child.stdout.destroy();
    child.unref();
  }
}

type ServerProcess = ChildProcessByStdio<Writable, Readable, null> & { readonly pid: number };

/**
 * Starts run-server.sh as the server's user. The script starts the server after it receives the
 * socket folder.
 */
function spawnRunServer({ folders, runtime, user, isDurable, settings }: Setup): {
  readonly child: ServerProcess;
  /** The file that the child locks; this process shares the lock until it closes the file. */
  readonly lock: number;
} {
  const { file, args, options } = user.spawnArguments([
    ...shellScript('run-server'),
    folders.postmasterPid,
    ...[runtime.postgres, '-D', folders.cluster, '-p', String(port)],
    ...serverSettings(isDurable, settings),
  ]);
  const lock = openInFolder(folders, folders.runningLock);
  const log = openLog(folders);
  // A separate session: the server outlives this process while others use it, and Ctrl-C must not
  // reach it.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', log, lock],
  }) as ServerProcess;
  closeSync(log);
  // A write to an ended process must not raise an error here.
  child.stdin.on('error', () => {});
  return { child, lock };
}

const longestLogBytes = 5_000_000;

function openLog(folders: Folders): number {
  const size = statSync(folders.log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > longestLogBytes) renameSync(folders.log, `${folders.log}.1`);
  return openInFolder(folders, folders.log);
}

/** The exit status of run-server.sh when another server holds the lock. */
const LOCK_HELD_STATUS = 75;

/** False when another server holds the lock. */
async function waitForLock(child: ServerProcess, { dataDir, log }: Folders): Promise<boolean> {
  const status = await new Promise<number | null | 'locked'>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
    child.stdout.once('data', () => resolve('locked'));
  });
  if (status === 'locked') return true;
  if (status === LOCK_HELD_STATUS) return false;
  throw explainFailedStart(dataDir, {
    output: `run-server.sh could not take the lock (see ${log}).`,
    status,
  });
}

/** False when the server ended. Recovery after a crash may take minutes. */
async function waitUntilReady(
  log: Log,
  { postmasterPid, dataDir }: Folders,
  child: ServerProcess,
  signal: AbortSignal,
): Promise<boolean> {
  for (let round = 1; child.exitCode === null && child.signalCode === null; round += 1) {
    const running = readPostmasterPid(postmasterPid);
    if (running?.pid === child.pid && running.isReady) return true;
    await sleep(10, undefined, { signal });
    if (round % 1000 === 0) log.info({ dataDir }, 'the database is still starting (recovering)');
  }
  return false;
}
