// Waits for an event in another process by polling. The time limit of the test ends a wait without
// success.
import { runningClock } from '../../src/kernel/time/clock.ts';

const BREATH_MS = 50;

/** Returns the first result that is not null. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await runningClock().sleep(BREATH_MS);
  }
}
