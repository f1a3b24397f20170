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

/** Work that another node has claimed is due as well, so the pause is at least one second. */
const MIN_PAUSE_MS = 1_000;

export function openPoller({ clock, log }: World, options: PollerOptions): Poller {
  const stop = new AbortController();
  let alarm = Promise.withResolvers<void>();
  const pause = async () => {
    const due = await options.nextDueAt().catch(() => null);
    const wait = (due ?? Number.POSITIVE_INFINITY) - clock.now();
    const ms = Math.min(options.intervalMs, Math.max(MIN_PAUSE_MS, wait));
    const done = new AbortController();
    const sleep = clock.sleep(ms, AbortSignal.any([done.signal, stop.signal]));
    await Promise.race([sleep.catch(() => {}), alarm.promise]);
    done.abort();
  };
  const running = (async () => {
    while (!stop.signal.aborted) {
      alarm = Promise.withResolvers<void>();
      try {
        await options.poll(stop.signal);
      } catch (error) {
        log.warn(
          { error: messageOf(error) },
          `${options.taskName} are polled again after a failure`,
        );
      }
      await pause();
    }
  })();
  return {
    wake: () => alarm.resolve(),
    close: async () => {
      stop.abort();
      alarm.resolve();
      await running;
    },
  };
}
