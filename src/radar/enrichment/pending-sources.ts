// Lists the sources with items that wait for enrichment. Entry points use this function, because
// they may not import the store.
import type { Db } from '../../kernel/ports/db.ts';
import { listSourcesAwaitingEnrichment } from '../../store/radar/sources/items.ts';

export function findPendingSources(db: Db): Promise<readonly string[]> {
  return listSourcesAwaitingEnrichment(db);
}
