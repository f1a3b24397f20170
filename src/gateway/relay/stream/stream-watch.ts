// The patience of a running stream: with an upstream that falls silent, with a client that stops
// reading, and with the whole. One timer for all of it, looked at when it is due, so that a chunk
// costs no timer.
import type { Clock } from '../../../kernel/time/clock.ts';
import type { CancelReason } from '../attempt.ts';

export type StreamWatch = {
  /** Something came. */
  moved(): void;
  /** Whose turn it is. */
  waitFor(whom: 'client' | 'upstream'): void;
  close(): void;
};

export function openStreamWatch(
  clock: Clock,
  { idleMs, maxMs }: { readonly idleMs: number; readonly maxMs: number },
  cut: (why: Extract<CancelReason, 'late' | 'stalled'>) => void,
): StreamWatch {
  const closed = new AbortController();
  const endsAt = clock.now() + maxMs;
  let movedAt = clock.now();
  let whom: 'client' | 'upstream' = 'upstream';
  const look = (): void => {
    const now = clock.now();
    const left = Math.min(movedAt + idleMs, endsAt) - now;
    if (left <= 0) cut(whom === 'client' ? 'stalled' : 'late');
    else clock.sleep(left, closed.signal).then(look, () => {});
  };
  look();
  return {
    moved: () => {
      movedAt = clock.now();
    },
    waitFor: (next) => {
      whom = next;
      movedAt = clock.now();
    },
    close: () => closed.abort('closed'),
  };
}
