// Adds ended calls to the sums of usage. A worker calls this once a minute.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { rollUpUsageOnce } from '../../../store/ledger/usage-rollups.ts';

/**
 * Younger calls are not summed yet, because a call is stored some seconds after its authorization.
 * If a call is stored after this age, the invariant `usage_is_the_calls` reports the call.
 */
const MIN_CALL_AGE_MS = 5 * 60_000;

export async function rollUpUsage(world: World, db: Db): Promise<void> {
  const until = world.clock.now() - MIN_CALL_AGE_MS;
  while (!(await rollUpUsageOnce(db, until)));
}
