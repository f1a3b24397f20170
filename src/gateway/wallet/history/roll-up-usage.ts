// Adds ended calls to the sums of usage. A worker runs it once a minute.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { rollUpUsageOnce } from '../../../store/ledger/usage-rollups.ts';

/**
 * A call is written within seconds of its instant of authorization. The invariant
 * `usage_is_the_calls` reports a call that is written later than this and therefore in no sum.
 */
const SETTLED_AFTER_MS = 5 * 60_000;

export async function rollUpUsage(world: World, db: Db): Promise<void> {
  const until = world.clock.now() - SETTLED_AFTER_MS;
  while (!(await rollUpUsageOnce(db, until)));
}
