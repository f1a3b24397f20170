// Limits how long a reader's request waits for the database. Without a database the request fails
// with "try again" within two seconds.
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

const DATABASE_TIMEOUT_MS = 1_800;

/** Rejects as `temporarily_unavailable` after the time limit. */
export async function withinDatabaseTimeout<T>(world: World, work: Promise<T>): Promise<T> {
  const stopTimer = new AbortController();
  const timeout = world.clock.sleep(DATABASE_TIMEOUT_MS, stopTimer.signal).then(() => {
    throw new Fault('temporarily_unavailable', 'The database does not answer. Try again soon.', {
      retryAfterSeconds: 5,
    });
  });
  timeout.catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    stopTimer.abort();
    work.catch(() => {});
  }
}
