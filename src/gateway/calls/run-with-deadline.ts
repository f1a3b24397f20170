// Runs work with a deadline. At the deadline the work's signal is aborted and the caller receives
// the timeout immediately, even when the work ignores the signal.
import { Fault } from '../../kernel/errors/fault.ts';
import { startTimer } from '../../kernel/time/clock.ts';
import type { World } from '../../kernel/world.ts';

/** Rejects with the Fault `upstream_timeout` after `ms` of the World's time. */
export function runWithDeadline<T>(
  { clock }: Pick<World, 'clock'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cancelTimer = startTimer(clock, ms, () => {
      const fault = new Fault('upstream_timeout', 'The call did not end in time.');
      deadline.abort(fault);
      reject(fault);
    });
    work(deadline.signal).then(resolve, reject).finally(cancelTimer);
  });
}
