// An in-memory queue that runs its jobs on demand. Replays use it, because a job must run at the
// replayed time.
import { requirePresent } from '../kernel/errors/assert.ts';
import type { JobData, Queue } from '../kernel/ports/queue.ts';

export type InlineQueue = Queue & {
  /** Runs all waiting jobs, and jobs that they add. Rejects with the first failure. */
  drain(signal: AbortSignal): Promise<void>;
};

type Handler = (data: JobData, signal: AbortSignal) => Promise<void>;
type Job = { readonly name: string; readonly data: JobData };

/** `lastNames`: names of jobs that run one at a time, after all others. */
export function openInlineQueue(
  concurrency: number,
  lastNames: readonly string[] = [],
): InlineQueue {
  const handlers = new Map<string, Handler>();
  const waitingJobs = new Map<string, Job>();
  const runEligible = async (signal: AbortSignal, isEligible: (name: string) => boolean) => {
    for (const [key, { name, data }] of waitingJobs) {
      if (signal.aborted) return;
      if (!isEligible(name)) continue;
      waitingJobs.delete(key);
      await requirePresent(handlers.get(name), `handler of ${name}`)(data, signal);
    }
  };
  return {
    send: async (name, key, data) => {
      waitingJobs.set(`${name} ${key}`, { name, data });
    },
    work: async (name, _concurrency, handle) => {
      handlers.set(name, handle);
    },
    everyMinute: async () => {},
    depths: async () => [],
    close: async () => {},
    drain: async (signal) => {
      while (waitingJobs.size > 0 && !signal.aborted) {
        const runOtherJobs = () => runEligible(signal, (name) => !lastNames.includes(name));
        await Promise.all(Array.from({ length: concurrency }, runOtherJobs));
        const hasOnlyLastJobs = [...waitingJobs.values()].every(({ name }) =>
          lastNames.includes(name),
        );
        if (hasOnlyLastJobs) await runEligible(signal, (name) => lastNames.includes(name));
      }
    },
  };
}
