// Lists the ids of active sources whose next fetch is due, oldest first. Jobs use this function,
// because they may not import the store.
import type { Db } from '../../../kernel/ports/db.ts';
import { listDueSources } from '../../../store/radar/sources/fetch-states.ts';

export function findDueSources(db: Db, now: number): Promise<readonly string[]> {
  return listDueSources(db, now);
}
