// Work that has a time and no more: when it is up the work is told to stop, and whoever waits hears
// of it at once, whether or not the work listens.
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

/** Rejects with the Fault `upstream_timeout` after `ms` of the World's time. */
export async function within<T>(
  { clock }: Pick<World, 'clock'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const timeUp = clock.sleep(ms, done.signal).then(() => {
    const fault = new Fault('upstream_timeout', 'The call did not end in time.');
    late.abort(fault);
    throw fault;
  });
  timeUp.catch(() => {});
  const working = work(late.signal);
  working.catch(() => {});
  try {
    return await Promise.race([working, timeUp]);
  } finally {
    done.abort();
  }
}
