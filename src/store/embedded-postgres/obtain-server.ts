// A server for a data folder: the one that runs, else one started now. Any number of processes may
// ask at once; the lock of run-server.sh lets one of them start it, the others wait and find it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../kernel/fault.ts';
import type { Log } from '../../kernel/log.ts';
import { findServer, isServerOf, readPostmasterPid, type Server } from './find-server.ts';
import { type Setup, startServer } from './start-server.ts';

export type Obtained = Server & { readonly startedHere: boolean };

export async function obtainServer(
  log: Log,
  setup: Setup,
  options: { readonly mayCreate: boolean; readonly signal: AbortSignal },
): Promise<Obtained> {
  for (let round = 1; ; round += 1) {
    const found = await findServer(setup.folders);
    if (found !== null) return { ...found, startedHere: false };
    const started = await startServer(log, setup, options);
    if (started !== null) return { ...started, startedHere: true };
    // Others start it, or it ends: moments, or a recovery's minutes.
    await sleep(20, undefined, { signal: options.signal });
    if (round % 25 === 0) stopUnreachable(log, setup, round);
    if (round % 500 === 0) {
      log.info({ dataDir: setup.folders.dataDir }, 'waiting for the database that others start');
    }
  }
}

/**
 * A server that says it is ready, and for 25 rounds has neither ended nor answered, has lost its
 * socket (systems sweep their temporary folders) and cannot make it anew: it is stopped.
 */
function stopUnreachable(log: Log, { folders }: Setup, round: number): void {
  const told = readPostmasterPid(folders.postmasterPid);
  if (told === null || !told.isReady) return;
  if (isServerOf(folders.cluster, told.pid)) {
    log.warn({ ...told, dataDir: folders.dataDir }, 'the database lost its socket: a restart');
    process.kill(told.pid, 'SIGINT');
    return;
  }
  if (round < 500) return;
  throw new Fault(
    'temporarily_unavailable',
    `The database in ${folders.dataDir} is in use by a server that this process cannot reach ` +
      '(of another container or machine?). Stop that one, or set DATA_DIR to another folder.',
  );
}
