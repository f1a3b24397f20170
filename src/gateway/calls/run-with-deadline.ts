// Runs work with a deadline. At the deadline the work's signal is aborted and the caller receives
// the timeout immediately, even when the work ignores the signal.
import { Fault } from '../../kernel/errors/fault.ts';
import { SLEEP_ENDED } from '../../kernel/time/clock.ts';
import type { World } from '../../kernel/world.ts';

/** Rejects with the Fault `upstream_timeout` after `ms` of the World's time. */
export async function runWithDeadline<T>(
  { clock }: Pick<World, 'clock'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const done = new AbortController();
  const timeUp = clock.sleep(ms, done.signal).then(() => {
    const fault = new Fault('upstream_timeout', 'The call did not end in time.');
    deadline.abort(fault);
    throw fault;
  });
  timeUp.catch(() => {});
  const working = work(deadline.signal);
  working.catch(() => {});
  try {
    return await Promise.race([working, timeUp]);
  } finally {
    done.abort(SLEEP_ENDED);
  }
}
