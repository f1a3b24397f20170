// Waits for what another process does in its own time: asks again and again, with a breath between,
// until the answer is there. The test's own limit ends a wait that is in vain.
import { runningClock } from '../../src/kernel/time/clock.ts';

const BREATH_MS = 50;

/** The first answer that is not null. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await runningClock().sleep(BREATH_MS);
  }
}
