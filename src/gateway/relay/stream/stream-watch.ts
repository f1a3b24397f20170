// Enforces the timeouts of a running stream: a silent upstream, a client that stops reading, and
// the total time. One timer checks all of them, so an event needs no timer of its own.
import type { Clock } from '../../../kernel/time/clock.ts';
import type { CancelReason } from '../attempt.ts';

export type StreamWatch = {
  /** Called for every received event. */
  recordActivity(): void;
  /** Sets the side for which the stream waits. */
  waitFor(side: 'client' | 'upstream'): void;
  close(): void;
};

/** `endsAt`: epoch ms. */
export function openStreamWatch(
  clock: Clock,
  { stallMs, endsAt }: { readonly stallMs: number; readonly endsAt: number },
  cancel: (reason: Extract<CancelReason, 'timed_out' | 'stalled'>) => void,
): StreamWatch {
  const closeController = new AbortController();
  let lastActivityAt = clock.now();
  let awaitedSide: 'client' | 'upstream' = 'upstream';
  const checkTimeouts = (): void => {
    const now = clock.now();
    const remainingMs = Math.min(lastActivityAt + stallMs, endsAt) - now;
    if (remainingMs <= 0) cancel(awaitedSide === 'client' ? 'stalled' : 'timed_out');
    else clock.sleep(remainingMs, closeController.signal).then(checkTimeouts, () => {});
  };
  checkTimeouts();
  return {
    recordActivity: () => {
      lastActivityAt = clock.now();
    },
    waitFor: (next) => {
      awaitedSide = next;
      lastActivityAt = clock.now();
    },
    close: () => closeController.abort('closed'),
  };
}
