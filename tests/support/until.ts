// Waits for an event in another process by polling. The time limit of the test ends a wait without
// success.
import { runningClock } from '../../src/kernel/time/clock.ts';

const BREATH_MS = 50;

/** Returns the first result that is not null. */
export async function until<T>(read: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const response = await read();
    if (response !== null) return response;
    await runningClock().sleep(BREATH_MS);
  }
}
