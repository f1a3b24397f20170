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
  const waiting = new Map<string, Job>();
  const runNext = async (signal: AbortSignal, isEligible: (name: string) => boolean) => {
    for (const [key, { name, data }] of waiting) {
      if (signal.aborted) return;
      if (!isEligible(name)) continue;
      waiting.delete(key);
      await requirePresent(handlers.get(name), `handler of ${name}`)(data, signal);
    }
  };
  return {
    send: async (name, key, data) => {
      waiting.set(`${name} ${key}`, { name, data });
    },
    work: async (name, _concurrency, handle) => {
      handlers.set(name, handle);
    },
    everyMinute: async () => {},
    depths: async () => [],
    close: async () => {},
    drain: async (signal) => {
      while (waiting.size > 0 && !signal.aborted) {
        const runFirst = () => runNext(signal, (name) => !lastNames.includes(name));
        await Promise.all(Array.from({ length: concurrency }, runFirst));
        const hasOnlyLastJobs = [...waiting.values()].every(({ name }) => lastNames.includes(name));
        if (hasOnlyLastJobs) await runNext(signal, (name) => lastNames.includes(name));
      }
    },
  };
}
