// Active sources whose next fetch is due, oldest first.
import type { Db } from '../../../kernel/ports/db.ts';
import { dueSources } from '../../../store/radar/sources/fetch-states.ts';

export function findDueSources(db: Db, now: number): Promise<readonly string[]> {
  return dueSources(db, now);
}
