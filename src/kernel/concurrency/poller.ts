// Background poller. It runs on notification, at the next due time, and at a fixed interval in case
// a notification was lost.
import { messageOf } from '../errors/fault.ts';
import type { World } from '../world.ts';

export type Poller = {
  /** Polls immediately, or once more after the current poll. */
  wake(): void;
  /** Aborts the signal of the current poll and resolves when that poll has ended. */
  close(): Promise<void>;
};

export type PollerOptions = {
  /** The name in the log, such as `webhooks`. */
  readonly taskName: string;
  /** The longest pause. */
  readonly intervalMs: number;
  /** Performs all work that is due. A rejection is logged, and the next poll tries again. */
  poll(signal: AbortSignal): Promise<void>;
  /** When the next work is due; null when no work is known. */
  nextDueAt(): Promise<number | null>;
};

/**
 * The pause is at least one second, because work that another node has claimed also counts as due.
 */
const MIN_PAUSE_MS = 1_000;

export function openPoller({ clock, log }: World, options: PollerOptions): Poller {
  const stopController = new AbortController();
  let wakeUp = Promise.withResolvers<void>();
  const waitForWork = async () => {
    const dueAt = await options.nextDueAt().catch(() => null);
    const untilDueMs = (dueAt ?? Number.POSITIVE_INFINITY) - clock.now();
    const pauseMs = Math.min(options.intervalMs, Math.max(MIN_PAUSE_MS, untilDueMs));
    const pauseEnd = new AbortController();
    const sleep = clock.sleep(pauseMs, AbortSignal.any([pauseEnd.signal, stopController.signal]));
    await Promise.race([sleep.catch(() => {}), wakeUp.promise]);
    pauseEnd.abort();
  };
  const loop = (async () => {
    while (!stopController.signal.aborted) {
      wakeUp = Promise.withResolvers<void>();
      try {
        await options.poll(stopController.signal);
      } catch (error) {
        log.warn(
          { error: messageOf(error) },
          `${options.taskName} are polled again after a failure`,
        );
      }
      await waitForWork();
    }
  })();
  return {
    wake: () => wakeUp.resolve(),
    close: async () => {
      stopController.abort();
      wakeUp.resolve();
      await loop;
    },
  };
}
