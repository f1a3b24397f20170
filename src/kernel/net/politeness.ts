// Turns at a host: first come, first served, so many at once, and a gap between one start and the
// next. Waiting is not the host's fault, so it is not charged to a request's own time.
import type { Clock } from '../time/clock.ts';

export type Turn =
  | { readonly kind: 'turn'; readonly release: () => void }
  | { readonly kind: 'waited_too_long' }
  | { readonly kind: 'aborted' };

export type Politeness = {
  /**
   * Waits for a turn at `host`, at most `maxWaitMs`. `gapMs` separates this request's start from
   * the one before it. Every turn is released once; releasing again does nothing.
   */
  turn(host: string, options: TurnOptions): Promise<Turn>;
};

export type TurnOptions = {
  readonly gapMs: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
};

type Waiter = { readonly gapMs: number; readonly start: () => void };
type Lane = { active: number; lastStart: number; isSleeping: boolean; waiters: Waiter[] };

/** `closing` ends the sleeps that are under way. */
export function openPoliteness(
  clock: Clock,
  perHostConcurrency: number,
  closing: AbortSignal,
): Politeness {
  const lanes = new Map<string, Lane>();

  const laneOf = (host: string): Lane => {
    const known = lanes.get(host);
    if (known) return known;
    if (lanes.size >= 1_000) forgetIdle(lanes, clock.now());
    const lane = { active: 0, lastStart: Number.NEGATIVE_INFINITY, isSleeping: false, waiters: [] };
    lanes.set(host, lane);
    return lane;
  };

  const pump = (lane: Lane): void => {
    for (;;) {
      const head = lane.waiters[0];
      if (head === undefined || lane.active >= perHostConcurrency || lane.isSleeping) return;
      // A clock that was set back must not make a host wait longer than the gap.
      lane.lastStart = Math.min(lane.lastStart, clock.now());
      const waitMs = lane.lastStart + head.gapMs - clock.now();
      if (waitMs > 0) {
        lane.isSleeping = true;
        const wake = () => {
          lane.isSleeping = false;
          pump(lane);
        };
        clock.sleep(waitMs, closing).then(wake, () => {});
        return;
      }
      lane.waiters.shift();
      lane.active += 1;
      lane.lastStart = clock.now();
      head.start();
    }
  };

  return { turn: (host, options) => waitForTurn(laneOf(host), options, { clock, pump }) };
}

function waitForTurn(
  lane: Lane,
  { gapMs, maxWaitMs, signal }: TurnOptions,
  { clock, pump }: { readonly clock: Clock; readonly pump: (lane: Lane) => void },
): Promise<Turn> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: 'aborted' });
    const patience = new AbortController();
    const settle = (turn: Turn) => {
      patience.abort();
      signal.removeEventListener('abort', onAbort);
      resolve(turn);
    };
    const leave = (kind: 'aborted' | 'waited_too_long') => {
      lane.waiters = lane.waiters.filter((other) => other !== waiter);
      settle({ kind });
    };
    const onAbort = () => leave('aborted');
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      lane.active -= 1;
      pump(lane);
    };
    const waiter: Waiter = { gapMs, start: () => settle({ kind: 'turn', release }) };
    signal.addEventListener('abort', onAbort, { once: true });
    lane.waiters.push(waiter);
    pump(lane);
    if (patience.signal.aborted) return;
    clock.sleep(maxWaitMs, patience.signal).then(
      () => leave('waited_too_long'),
      () => {},
    );
  });
}

/** Queues without requests. One hour is longer than any requested gap. */
function forgetIdle(lanes: Map<string, Lane>, now: number): void {
  for (const [host, lane] of lanes) {
    const isIdle = lane.active === 0 && lane.waiters.length === 0;
    if (isIdle && Math.abs(now - lane.lastStart) > 3_600_000) lanes.delete(host);
  }
}
