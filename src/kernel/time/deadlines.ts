// Calls back after timeouts, for very many concurrent operations. All timeouts of one length share
// one sleep, because a timer and a signal for each would cost more than the work itself.
import type { Clock } from './clock.ts';

export type Deadlines = {
  /** Calls the callback once after `ms`, unless the returned function is called earlier. */
  callAfter(ms: number, onTimeout: () => void): () => void;
};

type Deadline = { at: number; readonly onTimeout: () => void };

/**
 * `stop` ends the sleeps, which otherwise keep the process alive. After the stop no callback is
 * called.
 */
export function openDeadlines(clock: Clock, stop?: AbortSignal): Deadlines {
  const queues = new Map<number, (onTimeout: () => void) => () => void>();
  const queueOf = (ms: number) => {
    const existing = queues.get(ms);
    if (existing !== undefined) return existing;
    const queue = openQueue(clock, ms, stop);
    queues.set(ms, queue);
    return queue;
  };
  return { callAfter: (ms, callback) => queueOf(ms)(callback) };
}

/** Timeouts of one length end in the order in which they began. */
function openQueue(
  clock: Clock,
  ms: number,
  stop: AbortSignal | undefined,
): (onTimeout: () => void) => () => void {
  const deadlines = new Set<Deadline>();
  let isAsleep = false;
  const fireDue = (): void => {
    isAsleep = false;
    if (stop?.aborted) return;
    const now = clock.now();
    for (const deadline of deadlines) {
      // A clock that was set back must not lengthen a timeout.
      deadline.at = Math.min(deadline.at, now + ms);
      if (deadline.at > now) {
        sleepFor(deadline.at - now);
        return;
      }
      deadlines.delete(deadline);
      deadline.onTimeout();
    }
  };
  const sleepFor = (waitMs: number): void => {
    if (isAsleep) return;
    isAsleep = true;
    clock.sleep(waitMs, stop).then(fireDue, fireDue);
  };
  return (callback) => {
    const deadline: Deadline = { at: clock.now() + ms, onTimeout: callback };
    deadlines.add(deadline);
    sleepFor(ms);
    return () => {
      deadlines.delete(deadline);
    };
  };
}
