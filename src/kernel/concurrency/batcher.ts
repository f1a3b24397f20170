// Collects requests for work that may wait briefly, and performs them together.
import type { Clock } from '../time/clock.ts';

export type Batcher = {
  /** Resolves at the end of the current pause, or of one that starts now. */
  wait(): Promise<void>;
  /** Runs `work` while no pause starts. */
  runImmediately<T>(work: () => Promise<T>): Promise<T>;
};

export function openBatcher(clock: Clock, ms: number): Batcher {
  let running: { readonly ended: Promise<void>; readonly end: () => void } | null = null;
  let immediateCount = 0;
  const begin = () => {
    const earlyRun = new AbortController();
    const ended = clock
      .sleep(ms, earlyRun.signal)
      .catch(() => {})
      .finally(() => {
        running = null;
      });
    return { ended, end: () => earlyRun.abort() };
  };
  return {
    wait: async () => {
      if (immediateCount > 0) return;
      running ??= begin();
      await running.ended;
    },
    runImmediately: async (work) => {
      immediateCount += 1;
      running?.end();
      try {
        return await work();
      } finally {
        immediateCount -= 1;
      }
    },
  };
}
