// The name of the machine, the start of this process, and whether another process is alive.
import { hostname } from 'node:os';
import { runningClock } from '../time/clock.ts';

export function hostName(): string {
  return hostname();
}

/**
 * Whether a process with this id runs on this machine, even one that this process may not signal.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When this process began, in epoch milliseconds of the file system's clock. */
export function processStartedAt(): number {
  return runningClock().now() - process.uptime() * 1000;
}

/**
 * Exits the process if it is still closing after `ms`; the timer itself keeps no process alive.
 */
export function exitAfter(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}
