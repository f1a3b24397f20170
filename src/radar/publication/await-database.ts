// How long a reader's question waits for the database: with it away, "try again" within two seconds
// rather than an open wait (goals.md).
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

const PATIENCE_MS = 1_800;

/** Fails as `temporarily_unavailable` when it takes longer. */
export async function soon<T>(world: World, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const tooLate = world.clock.sleep(PATIENCE_MS, stop.signal).then(() => {
    throw new Fault('temporarily_unavailable', 'The database does not answer. Try again soon.', {
      retryAfterSeconds: 5,
    });
  });
  tooLate.catch(() => {});
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    stop.abort();
    work.catch(() => {});
  }
}
