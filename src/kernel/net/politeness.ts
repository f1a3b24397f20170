// Limits the requests to one host: in order of arrival, a maximum at once, and a gap between two
// starts. The time limit of a request does not include this wait.
import { type Clock, startTimer } from '../time/clock.ts';

export type Turn =
  | { readonly kind: 'turn'; readonly release: () => void }
  | { readonly kind: 'waited_too_long' }
  | { readonly kind: 'aborted' };

export type Politeness = {
  /**
   * Waits for a turn at `host`, at most `maxWaitMs`. `gapMs` separates this request's start from
   * the one before it. Every turn is released once; releasing again does nothing.
   */
  waitForTurn(host: string, options: TurnOptions): Promise<Turn>;
};

export type TurnOptions = {
  readonly gapMs: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
};

type Waiter = { readonly gapMs: number; readonly start: () => void };
type HostQueue = { active: number; lastStart: number; isSleeping: boolean; waiters: Waiter[] };

/** `closing` ends the sleeps that are under way. */
export function openPoliteness(
  clock: Clock,
  perHostConcurrency: number,
  closing: AbortSignal,
): Politeness {
  const queues = new Map<string, HostQueue>();

  const queueOf = (host: string): HostQueue => {
    const existing = queues.get(host);
    if (existing) return existing;
    if (queues.size >= 1_000) removeIdleQueues(queues, clock.now());
    const queue = {
      active: 0,
      lastStart: Number.NEGATIVE_INFINITY,
      isSleeping: false,
      waiters: [],
    };
    queues.set(host, queue);
    return queue;
  };

  const startQueued = (queue: HostQueue): void => {
    for (;;) {
      const head = queue.waiters[0];
      if (head === undefined || queue.active >= perHostConcurrency || queue.isSleeping) return;
      // A clock that was set back must not make a host wait longer than the gap.
      queue.lastStart = Math.min(queue.lastStart, clock.now());
      const waitMs = queue.lastStart + head.gapMs - clock.now();
      if (waitMs > 0) {
        queue.isSleeping = true;
        const wake = () => {
          queue.isSleeping = false;
          startQueued(queue);
        };
        clock.sleep(waitMs, closing).then(wake, () => {});
        return;
      }
      queue.waiters.shift();
      queue.active += 1;
      queue.lastStart = clock.now();
      head.start();
    }
  };

  return {
    waitForTurn: (host, options) => waitForTurn(queueOf(host), options, { clock, startQueued }),
  };
}

function waitForTurn(
  queue: HostQueue,
  { gapMs, maxWaitMs, signal }: TurnOptions,
  {
    clock,
    startQueued,
  }: { readonly clock: Clock; readonly startQueued: (queue: HostQueue) => void },
): Promise<Turn> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: 'aborted' });
    let isSettled = false;
    let cancelTimer = () => {};
    const settle = (turn: Turn) => {
      isSettled = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      resolve(turn);
    };
    const leaveQueue = (kind: 'aborted' | 'waited_too_long') => {
      queue.waiters = queue.waiters.filter((other) => other !== waiter);
      settle({ kind });
    };
    const onAbort = () => leaveQueue('aborted');
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      queue.active -= 1;
      startQueued(queue);
    };
    const waiter: Waiter = { gapMs, start: () => settle({ kind: 'turn', release }) };
    signal.addEventListener('abort', onAbort, { once: true });
    queue.waiters.push(waiter);
    startQueued(queue);
    if (isSettled) return;
    cancelTimer = startTimer(clock, maxWaitMs, () => leaveQueue('waited_too_long'));
  });
}

/** Deletes queues that had no request for an hour, which is longer than any requested gap. */
function removeIdleQueues(queues: Map<string, HostQueue>, now: number): void {
  for (const [host, queue] of queues) {
    const isIdle = queue.active === 0 && queue.waiters.length === 0;
    if (isIdle && Math.abs(now - queue.lastStart) > 3_600_000) queues.delete(host);
  }
}
