// The client of the guard (guard.sh). It registers this process as a user of the server until
// `close` is called or the process ends.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import { explainUnusableFolder } from './explain-failure.ts';
import { type Folders, openInFolder } from './folders.ts';
import { shellScript, startOptions } from './shell-script.ts';

export type Guard = {
  /** Releases the server; resolves when the server has stopped, or when other processes use it. */
  close(): Promise<void>;
};

/** Resolves when this process is registered, after waiting for a server that is stopping. */
export async function openGuard(log: Log, folders: Folders): Promise<Guard> {
  let isOpen = true;
  let guard = await startGuard(folders);
  const replaceKilledGuards = async () => {
    while (isOpen) {
      await guard.ended;
      if (!isOpen) break;
      log.warn(
        { dataDir: folders.dataDir },
        'the guard of the database was killed; a new one is started',
      );
      try {
        guard = await startGuard(folders);
      } catch (error) {
        log.error(
          { error: messageOf(error) },
          'no guard of the database could be started; the next attempt follows in a second',
        );
        await sleep(1000, undefined, { ref: false });
      }
    }
    guard.detach();
    await guard.ended;
  };
  const replacement = replaceKilledGuards();
  return {
    close: async () => {
      isOpen = false;
      guard.detach();
      await replacement;
    },
  };
}

type GuardProcess = { readonly ended: Promise<void>; detach(): void };

async function startGuard(folders: Folders): Promise<GuardProcess> {
  const [file, ...args] = [...shellScript('guard'), folders.postmasterPid];
  const locks = [
    openInFolder(folders, folders.usersLock),
    openInFolder(folders, folders.runningLock),
  ];
  // A separate session, so that Ctrl-C in a terminal does not reach the guard.
  const child = spawn(file, args, {
    detached: true,
    ...startOptions,
    stdio: ['pipe', 'pipe', 'ignore', ...locks],
  });
  // Only the guard holds the locks from now on.
  for (const lock of locks) closeSync(lock);
  const [input, output] = [child.stdin as Socket, child.stdout as Socket];
  // A write to a killed guard must not raise an error here.
  input.on('error', () => {});
  const exitPromise = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let announcement = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    announcement += chunk;
    if (announcement.includes('\n')) break;
  }
  if (!announcement.startsWith('ready\n')) {
    throw explainUnusableFolder(
      folders.dataDir,
      new Error(`no lock could be taken there (${announcement.trim()})`),
    );
  }
  for (const part of [child, input, output]) part.unref();
  return {
    ended: exitPromise,
    detach: () => {
      child.ref();
      input.end();
    },
  };
}
