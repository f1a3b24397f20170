// Limits the requests to one host: in order of arrival, a maximum at once, and a gap between two
// starts. The time limit of a request does not include this wait.
import { type Clock, startTimer } from '../time/clock.ts';
import { HOUR_MS } from '../time/durations.ts';

export type Turn =
  | { readonly kind: 'turn'; readonly release: () => void }
  | { readonly kind: 'waited_too_long' }
  | { readonly kind: 'aborted' };

export type Politeness = {
  /**
   * Waits for a turn at `host`, at most `maxWaitMs`. `gapMs` is the minimum time between the
   * previous start at the host and this start. Only the first release of a turn has an effect.
   */
  waitForTurn(host: string, options: TurnOptions): Promise<Turn>;
};

export type TurnOptions = {
  readonly gapMs: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
};

type Waiter = { readonly gapMs: number; readonly start: () => void };
type HostQueue = {
  activeCount: number;
  lastStartAt: number;
  isSleeping: boolean;
  waiters: Waiter[];
};
/** Idle queues are deleted when the process has this number of queues. */
const QUEUES_BEFORE_CLEANUP = 1_000;

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
    if (queues.size >= QUEUES_BEFORE_CLEANUP) removeIdleQueues(queues, clock.now());
    const queue = {
      activeCount: 0,
      lastStartAt: Number.NEGATIVE_INFINITY,
      isSleeping: false,
      waiters: [],
    };
    queues.set(host, queue);
    return queue;
  };

  const startQueued = (queue: HostQueue): void => {
    for (;;) {
      const firstWaiter = queue.waiters[0];
      if (firstWaiter === undefined || queue.activeCount >= perHostConcurrency || queue.isSleeping)
        return;
      // A clock that was set back must not make a host wait longer than the gap.
      queue.lastStartAt = Math.min(queue.lastStartAt, clock.now());
      const waitMs = queue.lastStartAt + firstWaiter.gapMs - clock.now();
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
      queue.activeCount += 1;
      queue.lastStartAt = clock.now();
      firstWaiter.start();
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
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      queue.activeCount -= 1;
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
    const isIdle = queue.activeCount === 0 && queue.waiters.length === 0;
    if (isIdle && Math.abs(now - queue.lastStartAt) > HOUR_MS) queues.delete(host);
  }
}
