// Delays work by a short pause, so that requests which arrive meanwhile can be served together.
import type { Clock } from '../time/clock.ts';

export type Batcher = {
  /** Resolves at the end of the current pause. Without a current pause, a new pause starts. */
  wait(): Promise<void>;
  /** Ends the current pause and runs `work`. No pause starts until `work` has ended. */
  runImmediately<T>(work: () => Promise<T>): Promise<T>;
};

export function openBatcher(clock: Clock, pauseMs: number): Batcher {
  let pause: { readonly ended: Promise<void>; readonly end: () => void } | null = null;
  let immediateWorkCount = 0;
  const startPause = () => {
    const earlyEnd = new AbortController();
    const ended = clock
      .sleep(pauseMs, earlyEnd.signal)
      .catch(() => {})
      .finally(() => {
        pause = null;
      });
    return { ended, end: () => earlyEnd.abort() };
  };
  return {
    wait: async () => {
      if (immediateWorkCount > 0) return;
      pause ??= startPause();
      await pause.ended;
    },
    runImmediately: async (work) => {
      immediateWorkCount += 1;
      pause?.end();
      try {
        return await work();
      } finally {
        immediateWorkCount -= 1;
      }
    },
  };
}
