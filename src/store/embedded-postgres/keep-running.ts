// Restarts a stopped server while this process uses it. A server can be killed, run out of memory
// or lose its socket. The pauses between repeated restarts grow.
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import { isProbablyRunning, type Server } from './find-server.ts';
import { obtainServer } from './obtain-server.ts';
import type { Setup } from './setup.ts';

const pollIntervalMs = 200;
const stableMs = 60_000;
const longestPauseMs = 30_000;

/** In milliseconds. `attempt`: number of restarts since the server last ran for `stableMs`. */
export function pauseBefore(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** (attempt - 1));
}

export function keepRunning(
  log: Log,
  setup: Setup,
  initialServer: Server,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { dataDir } = setup.folders;
  const watch = async () => {
    let server = initialServer;
    let attempt = 0;
    let runningMs = 0;
    while (!signal.aborted) {
      await sleep(pollIntervalMs, undefined, { signal, ref: false });
      if (isProbablyRunning(server)) {
        runningMs += pollIntervalMs;
        if (runningMs >= stableMs) attempt = 0;
        continue;
      }
      const pauseMs = pauseBefore(attempt);
      log.warn(
        { dataDir, pid: server.pid, pauseMs },
        'the database has stopped and is started again',
      );
      await sleep(pauseMs, undefined, { signal, ref: false });
      attempt += 1;
      runningMs = 0;
      try {
        server = await obtainServer(log, setup, { mayCreate: false, signal });
        log.info({ dataDir, pid: server.pid }, 'the database runs again');
      } catch (error) {
        if (!signal.aborted)
          log.error({ dataDir, error: messageOf(error) }, 'the database could not be started');
      }
    }
  };
  const watchEnd = watch().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return {
    stop: async () => {
      stopping.abort();
      await watchEnd;
    },
  };
}
