// Pauses and resumes a source. A resumed source is due at once.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { readSoon } from '../../store/radar/sources/fetch-states.ts';
import { setSourceStatus } from '../../store/radar/sources/sources.ts';

/** False when there is no such source. */
export async function changeSourceStatus(
  world: World,
  db: Db,
  sourceId: string,
  status: 'active' | 'paused',
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isKnown = await setSourceStatus(tx, sourceId, status, world.clock.now());
    if (isKnown && status === 'active') await readSoon(tx, sourceId);
    return isKnown;
  });
}
