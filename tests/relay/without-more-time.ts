// Checks that a call ends while the test's clock stands still.
import { runningClock } from '../../src/kernel/time/clock.ts';
import { until } from '../support/until.ts';

type AdvancingClock = { advance(ms: number): void };

/**
 * A limit in real time: long enough for a loaded machine, and far below the time limit of a test.
 */
const REAL_TIME_LIMIT_MS = 30_000;

/**
 * Returns the result of the call. Throws when the call waits for more time on `clock`. Before it
 * throws, it lets the call end, because a running call would disturb the next test.
 */
export async function finishWithoutAdvance<T>(
  clock: AdvancingClock,
  pending: Promise<T>,
): Promise<T> {
  let isOver = false;
  const result = pending.finally(() => {
    isOver = true;
  });
  const timeLimit = new AbortController();
  const timer = runningClock().sleep(REAL_TIME_LIMIT_MS, timeLimit.signal);
  await Promise.race([result, timer]).finally(() => timeLimit.abort());
  timer.catch(() => {});
  if (isOver) return result;
  await until(async () => {
    clock.advance(1_000);
    return isOver || null;
  });
  throw new Error('the call did not end until the test advanced the clock');
}
