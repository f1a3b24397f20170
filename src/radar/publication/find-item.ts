// Finds a public item in this node's read model, or in the database when the read model does not
// contain the item.
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import { withinDatabaseTimeout } from './await-database.ts';
import type { PublicItem } from './item.ts';
import type { Publication } from './open-publication.ts';
import { fromPublicRow } from './public-row.ts';
import { itemOf } from './read-model/read-model.ts';

/** Ids are opaque, `[A-Za-z0-9_-]{1,80}` (feed contract); other ids are not queried. */
const ID_PATTERN = /^[A-Za-z0-9_-]{1,80}$/;

/**
 * Returns the public items with these ids. While the database is unavailable, it returns only items
 * of the read model.
 */
export async function findPublicItems(
  world: World,
  publication: Publication,
  ids: readonly string[],
): Promise<readonly PublicItem[]> {
  const items = ids.flatMap((id) => itemOf(publication.readModel(), id) ?? []);
  const foundIds = new Set(items.map(({ id }) => id));
  const missingIds = ids.filter((id) => !foundIds.has(id));
  if (missingIds.length === 0) return items;
  try {
    const rows = await withinDatabaseTimeout(world, listPublicItemRows(publication.db, missingIds));
    return [...items, ...rows.map(fromPublicRow)];
  } catch (error) {
    if (error instanceof Fault && error.code === 'temporarily_unavailable') return items;
    throw error;
  }
}

/**
 * Null: not public. Rejects as `temporarily_unavailable` when the read model does not contain the
 * item and the database is unavailable.
 */
export async function findPublicItem(
  world: World,
  publication: Publication,
  id: string,
): Promise<PublicItem | null> {
  const item = itemOf(publication.readModel(), id);
  if (item !== null || !ID_PATTERN.test(id)) return item;
  const [row] = await withinDatabaseTimeout(world, listPublicItemRows(publication.db, [id]));
  return row === undefined ? null : fromPublicRow(row);
}
