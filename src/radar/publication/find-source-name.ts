// The public name of a source. Items carry names, and addresses of sources carry ids.
import type { World } from '../../kernel/world.ts';
import { findSource } from '../../store/radar/sources/sources.ts';
import { soon } from './await-database.ts';
import type { Publication } from './open-publication.ts';
import { foldText } from './search/fold.ts';

/** Ids of sources: nothing else reaches the database. */
const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Null: there is no such source. Fails as `temporarily_unavailable` without the database. */
export async function findSourceName(
  world: World,
  publication: Publication,
  id: string,
): Promise<string | null> {
  if (!ID.test(id)) return null;
  return (await soon(world, findSource(publication.db, id)))?.name ?? null;
}

/** Names of sources are compared after folding. */
export const sourceKey = (name: string): string => foldText(name.trim());
