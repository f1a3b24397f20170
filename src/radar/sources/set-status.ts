// Pauses, resumes and removes a source. The next fetch of a resumed source is due immediately.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { makeDueNow } from '../../store/radar/sources/fetch-states.ts';
import { deletePushToken } from '../../store/radar/sources/push-tokens.ts';
import { findSource, removeSource, setSourceStatus } from '../../store/radar/sources/sources.ts';

/** False when there is no such source. */
export async function changeSourceStatus(
  world: World,
  db: Db,
  sourceId: string,
  status: 'active' | 'paused',
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isKnown = await setSourceStatus(tx, sourceId, status, world.clock.now());
    if (isKnown && status === 'active') await makeDueNow(tx, sourceId);
    return isKnown;
  });
}

/** Keeps the source's items and deletes its push token. False when there is no such source. */
export async function removeSourceById(world: World, db: Db, sourceId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const source = await findSource(tx, sourceId);
    if (source === null || source.removed_at !== null) return false;
    await deletePushToken(tx, sourceId);
    await removeSource(tx, sourceId, world.clock.now());
    return true;
  });
}
