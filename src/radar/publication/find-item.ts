// A public item wherever it is: in this node's edition, or else, when it is older than that, in the
// database.
import type { World } from '../../kernel/world.ts';
import { publicItemRows } from '../../store/radar/publication/public-items.ts';
import { soon } from './await-database.ts';
import type { PublicItem } from './item.ts';
import type { Publication } from './open-publication.ts';
import { fromRow } from './public-row.ts';
import { itemOf } from './read-model/read-model.ts';

/** Ids are opaque, `[A-Za-z0-9_-]{1,80}` (feed contract): nothing else is asked for. */
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/** Null: not public. Fails as `temporarily_unavailable` when the database would have to say it. */
export async function findPublicItem(
  world: World,
  publication: Publication,
  id: string,
): Promise<PublicItem | null> {
  const held = itemOf(publication.edition(), id);
  if (held !== null || !ID.test(id)) return held;
  const [row] = await soon(world, publicItemRows(publication.db, [id]));
  return row === undefined ? null : fromRow(row);
}
