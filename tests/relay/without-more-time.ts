// A call that must end without further time on the test's clock.
import { runningClock } from '../../src/kernel/time/clock.ts';
import { until } from '../support/until.ts';

type AdvancingClock = { advance(ms: number): void };

/** Of the machine's clock: long for a loaded machine, and far below the limit of a test. */
const PATIENCE_MS = 30_000;

/**
 * Returns the result. A call that waits for more time on `clock` is an error; it is then ended, so
 * that the next test finds no running call.
 */
export async function withoutMoreTime<T>(clock: AdvancingClock, pending: Promise<T>): Promise<T> {
  let isOver = false;
  const over = pending.finally(() => {
    isOver = true;
  });
  const tooLate = new AbortController();
  const waiting = runningClock().sleep(PATIENCE_MS, tooLate.signal);
  await Promise.race([over, waiting]).finally(() => tooLate.abort());
  waiting.catch(() => {});
  if (isOver) return over;
  await until(async () => {
    clock.advance(1_000);
    return isOver || null;
  });
  throw new Error('the call waited for more time than the test let pass');
}
