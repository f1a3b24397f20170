// Returns the running server of a data folder, or starts a server. Many processes may do this at
// once: the lock of run-server.sh lets one process start the server, and the others wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import { findServer, isServerOf, readPostmasterPid, type Server } from './find-server.ts';
import type { Folders } from './folders.ts';
import type { Setup } from './setup.ts';
import { startServer } from './start-server.ts';

export type ServerHandle = Server & { readonly isStartedHere: boolean };

export async function obtainServer(
  log: Log,
  setup: Setup,
  options: { readonly mayCreate: boolean; readonly signal: AbortSignal },
): Promise<ServerHandle> {
  const { folders } = setup;
  let unreachable = { pid: 0, rounds: 0 };
  for (let round = 1; ; round += 1) {
    const server = await findServer(folders);
    if (server !== null) return { ...server, isStartedHere: false };
    const recordedServer = readPostmasterPid(folders.postmasterPid);
    const startedServer = await startServer(log, setup, options);
    if (startedServer !== null) return { ...startedServer, isStartedHere: true };
    // Another process holds the lock: it is starting the server (recovery takes minutes) or ending.
    const pid = recordedServer?.isReady ? recordedServer.pid : 0;
    unreachable = { pid, rounds: pid === unreachable.pid ? unreachable.rounds + 1 : 0 };
    if (pid !== 0 && unreachable.rounds % 25 === 24) stopUnreachable(log, folders, unreachable);
    if (round % 500 === 0) log.info({ dataDir: folders.dataDir }, 'waiting for the database');
    await sleep(20, undefined, { signal: options.signal });
  }
}

/**
 * Stops a server whose postmaster.pid has the status `ready` but which did not respond for 25
 * rounds of at least 20 ms. It has lost its socket (systems clean their temporary folders) and
 * cannot create a new socket. After 250 rounds the shutdown is immediate. After 500 rounds, a
 * process that is not visible here is an error.
 */
function stopUnreachable(
  log: Log,
  { cluster, dataDir }: Folders,
  { pid, rounds }: { readonly pid: number; readonly rounds: number },
): void {
  if (isServerOf(cluster, pid)) {
    log.warn({ pid, dataDir }, 'the database has lost its socket and is restarted');
    sendSignal(rounds < 250 ? 'SIGINT' : 'SIGQUIT', pid);
  } else if (rounds >= 500) {
    throw new Fault(
      'temporarily_unavailable',
      `The database in ${dataDir} is in use by a server that this process cannot reach ` +
        '(of another container or machine?). Stop that server, or set DATA_DIR to another folder.',
    );
  }
}

/** Requests a fast or an immediate shutdown; a server that has ended already is accepted. */
function sendSignal(signal: 'SIGINT' | 'SIGQUIT', pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
