// Finds the running server of a data folder by its file postmaster.pid. The lines are: process id,
// data folder, start time, port, socket folder, address, memory, status. Source: PostgreSQL's
// src/include/utils/pidfile.h.
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Folders } from './folders.ts';
import { socketPath } from './socket-folder.ts';

export type Server = { readonly pid: number; readonly socketFolder: string };

/** The content of the file, which may be stale; null when the file is missing or incomplete. */
export function readPostmasterPid(path: string): (Server & { readonly isReady: boolean }) | null {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const pid = Number(lines[0]);
  const socketFolder = lines[4] ?? '';
  if (!Number.isSafeInteger(pid) || pid <= 0 || socketFolder === '') return null;
  return { pid, socketFolder, isReady: lines[7]?.trim() === 'ready' };
}

/**
 * The server when it accepts connections, otherwise null. Throws a Fault when this user may not use
 * it.
 */
export async function findServer({ postmasterPid, dataDir }: Folders): Promise<Server | null> {
  const running = readPostmasterPid(postmasterPid);
  if (running === null || !running.isReady) return null;
  const refusal = await connectTo(socketPath(running.socketFolder));
  if (refusal === 'EACCES') {
    throw new Fault(
      'temporarily_unavailable',
      `The database in ${dataDir} is in use by another user's process (its socket is in ` +
        `${running.socketFolder}). Run this command as that user.`,
    );
  }
  // A killed server leaves its socket file. EAGAIN means a server with a full queue.
  const isListening = refusal === null || refusal === 'EAGAIN';
  return isListening ? { pid: running.pid, socketFolder: running.socketFolder } : null;
}

/** Null when a server listens at this socket, otherwise the error code. */
function connectTo(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(null);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** A cheap check of process and socket, suitable several times a second. */
export function isProbablyRunning({ pid, socketFolder }: Server): boolean {
  return isRunning(pid) && existsSync(socketPath(socketFolder));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process with this id is the server of this cluster. Without `/proc`, any running
 * process with the id counts as the server.
 */
export function isServerOf(cluster: string, pid: number): boolean {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return commandLine.includes(cluster);
  } catch {
    return !existsSync('/proc/self') && isRunning(pid);
  }
}
