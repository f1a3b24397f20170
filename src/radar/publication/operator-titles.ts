// Reads titles of stories and items, and names of sources, for operators. The results include
// stories and items that are not public, and merged stories.
import type { Db } from '../../kernel/ports/db.ts';
import { listSources } from '../../store/radar/sources/sources.ts';
import { readMemberTitles } from '../../store/radar/stories/story-items.ts';
import { readStoryTitles } from '../../store/radar/stories/story-list.ts';

export { readStoryTitles };

/** Unknown ids are absent. */
export async function readItemTitles(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readMemberTitles(db, ids);
  return new Map([...rows].map(([id, { title }]) => [id, title]));
}

/** Names of all sources, by id. */
export async function readSourceNames(db: Db): Promise<ReadonlyMap<string, string>> {
  return new Map((await listSources(db)).map(({ id, name }) => [id, name]));
}
