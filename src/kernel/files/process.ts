// This process among others: the machine's name, and whether a neighbour still lives.
import { hostname } from 'node:os';
import { runningClock } from '../time/clock.ts';

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

/** When this process began, by the clock that files are dated by: epoch milliseconds. */
export function processStartedAt(): number {
  return runningClock().now() - process.uptime() * 1000;
}

/** Ends a process that hangs while it closes; never keeps one that does not. */
export function exitAfter(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}
