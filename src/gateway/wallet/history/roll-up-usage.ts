// Adds ended calls to the sums of usage. A worker runs it once a minute.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { rollUpUsageOnce } from '../../../store/ledger/usage-rollups.ts';

/**
 * A call is stored within seconds of its authorization. If a call is stored after this time, no sum
 * contains it, and the invariant `usage_is_the_calls` reports it.
 */
const SETTLED_AFTER_MS = 5 * 60_000;

export async function rollUpUsage(world: World, db: Db): Promise<void> {
  const until = world.clock.now() - SETTLED_AFTER_MS;
  while (!(await rollUpUsageOnce(db, until)));
}
