// Reads the name of the machine and the start of this process, lowers its priority or ends it, and
// checks whether another process runs.
import { readdirSync, readFileSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { runningClock } from '../time/clock.ts';

export function hostName(): string {
  return hostname();
}

/**
 * Whether a process with this id runs on this machine, also when this process may not signal it.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The start of this process, in epoch milliseconds of the system's clock. */
export function processStartedAt(): number {
  return runningClock().now() - process.uptime() * 1000;
}

/**
 * Lowers the priority of this process below the priority of serving processes. On Linux each thread
 * has a priority of its own, and later threads inherit it. Without permission nothing changes.
 */
export function lowerPriority(): void {
  lowerThreads(() => (process.platform === 'linux' ? listThreads() : [0]));
}

/**
 * Lowers the priority of V8's four helper threads, which mark objects and compile. At the normal
 * priority, marking takes four fifths of a single core from the serving thread. The lowest priority
 * is too low: a collection once waited 263 ms. Only Linux has priorities of threads. Without
 * permission nothing changes.
 */
export function lowerHelperPriority(): void {
  if (process.platform !== 'linux') return;
  const isHelper = (id: number) =>
    readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('V8Worker');
  lowerThreads(() => listThreads().filter(isHelper));
}

const listThreads = (): readonly number[] => readdirSync('/proc/self/task').map(Number);

function lowerThreads(listIds: () => readonly number[]): void {
  try {
    for (const id of listIds()) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A thread has ended meanwhile, or the platform permits no other priority.
  }
}

/**
 * Exits the process if it still runs after `ms`. The timer itself does not keep the process alive.
 */
export function exitAfter(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}
