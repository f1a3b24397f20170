// The clock of the World. Instants are epoch milliseconds (UTC); `calendar.ts` computes calendar
// days.

export type Clock = {
  /** The current instant, epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` of this clock; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Without a reason each abort creates a DOMException with its stack, which took a fifth of the
 * processor time of a paid call.
 */
const SLEEP_ENDED = new Error('the sleep is no longer needed');

/** Runs `onElapsed` after `ms` of the clock. The returned function cancels the timer. */
export function startTimer(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  onElapsed: () => void,
): () => void {
  const cancellation = new AbortController();
  clock.sleep(ms, cancellation.signal).then(onElapsed, () => {});
  return () => cancellation.abort(SLEEP_ENDED);
}

/** A clock at real speed, `offsetMs` away from the machine's clock. */
export function runningClock(offsetMs = 0): Clock {
  return {
    now: () => Date.now() + offsetMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

export type ManualClock = Clock & {
  /** Moves to `instant`, also backwards, and wakes sleepers that are due, in order. */
  set(instant: number): void;
  advance(ms: number): void;
};

/** A clock that moves only on request, for tests and replays. */
export function manualClock(start: number): ManualClock {
  let now = start;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const set = (instant: number) => {
    now = instant;
    const due = sleepers.filter((sleeper) => sleeper.at <= now).sort((a, b) => a.at - b.at);
    sleepers = sleepers.filter((sleeper) => sleeper.at > now);
    for (const sleeper of due) sleeper.wake();
  };
  return {
    now: () => now,
    set,
    advance: (ms) => set(now + ms),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (ms <= 0) return resolve();
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            reject(signal.reason);
          },
          { once: true },
        );
      }),
  };
}

export type ReplayClock = Clock & {
  /** Stops at `instant`, which may be earlier, until it is set again or runs. */
  set(instant: number): void;
  /** Runs from now on, `speed` times as fast as the machine's clock. */
  run(speed: number): void;
};

/**
 * A clock for replays: the replay sets it to past instants, and then it runs. While the clock is
 * stopped, `sleep` takes real time.
 */
export function replayClock(start: number): ReplayClock {
  let setInstant = start;
  let runningSince: number | null = null;
  let currentSpeed = 1;
  const realClock = runningClock();
  return {
    now: () =>
      runningSince === null
        ? setInstant
        : setInstant + Math.round((realClock.now() - runningSince) * currentSpeed),
    set: (instant) => {
      setInstant = instant;
      runningSince = null;
      currentSpeed = 1;
    },
    run: (speed) => {
      runningSince = realClock.now();
      currentSpeed = speed;
    },
    sleep: (ms, signal) => realClock.sleep(ms / currentSpeed, signal),
  };
}
