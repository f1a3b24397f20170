// Waits for an event in another process by polling. The test's time limit ends a wait without
// success.
import { runningClock } from '../../src/kernel/time/clock.ts';

const POLL_MS = 50;

/** Returns the first result that is not null. */
export async function until<T>(readResult: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const result = await readResult();
    if (result !== null) return result;
    await runningClock().sleep(POLL_MS);
  }
}
