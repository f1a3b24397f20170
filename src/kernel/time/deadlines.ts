// Timeouts for very many concurrent operations. All timeouts of one length share one sleep, because
// a timer and a signal for each would cost more than the guarded work.
import type { Clock } from './clock.ts';

export type Deadlines = {
  /** Calls `late` once after `ms`, unless the returned function is called before. */
  after(ms: number, onTimeout: () => void): () => void;
};

type Deadline = { at: number; readonly late: () => void };

/** `stop` ends the sleeps, which otherwise keep the process alive; no timeout is called later. */
export function openDeadlines(clock: Clock, stop?: AbortSignal): Deadlines {
  const queues = new Map<number, (onTimeout: () => void) => () => void>();
  const queueOf = (ms: number) => {
    const existing = queues.get(ms);
    if (existing !== undefined) return existing;
    const queue = openQueue(clock, ms, stop);
    queues.set(ms, queue);
    return queue;
  };
  return { after: (ms, callback) => queueOf(ms)(callback) };
}

/** Timeouts of one length end in the order in which they began. */
function openQueue(
  clock: Clock,
  ms: number,
  stop: AbortSignal | undefined,
): (onTimeout: () => void) => () => void {
  const waiting = new Set<Deadline>();
  let isAsleep = false;
  const check = (): void => {
    isAsleep = false;
    if (stop?.aborted) return;
    const now = clock.now();
    for (const waiter of waiting) {
      // A clock that was set back must not lengthen a timeout.
      waiter.at = Math.min(waiter.at, now + ms);
      if (waiter.at > now) {
        sleepUntil(waiter.at - now);
        return;
      }
      waiting.delete(waiter);
      waiter.late();
    }
  };
  const sleepUntil = (waitMs: number): void => {
    if (isAsleep) return;
    isAsleep = true;
    clock.sleep(waitMs, stop).then(check, check);
  };
  return (callback) => {
    const deadline: Deadline = { at: clock.now() + ms, late: callback };
    waiting.add(deadline);
    sleepUntil(ms);
    return () => {
      waiting.delete(deadline);
    };
  };
}
