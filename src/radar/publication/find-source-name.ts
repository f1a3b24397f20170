// Finds the public name of a source by its id. Items contain the name, and page addresses contain
// the id.
import type { World } from '../../kernel/world.ts';
import { findSource } from '../../store/radar/sources/sources.ts';
import { withinDatabaseTimeout } from './await-database.ts';
import type { Publication } from './open-publication.ts';
import { foldText } from './search/fold.ts';

/** The form of source ids. Other values are not sent to the database. */
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Null: the source does not exist. Rejects as `temporarily_unavailable` without the database. */
export async function findSourceName(
  world: World,
  publication: Publication,
  id: string,
): Promise<string | null> {
  if (!ID_PATTERN.test(id)) return null;
  return (await withinDatabaseTimeout(world, findSource(publication.db, id)))?.name ?? null;
}

/** Names of sources are compared after folding. */
export const sourceKey = (name: string): string => foldText(name.trim());
