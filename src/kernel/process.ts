// This process among others: the machine's name, and whether a neighbour still lives.
import { hostname } from 'node:os';

export function hostName(): string {
  return hostname();
}

/** Whether a process of that id runs on this machine (also one that we may not signal). */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Ends a process that hangs while it closes; never keeps one that does not. */
export function exitAfter(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}
