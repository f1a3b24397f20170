// Only this file writes `story_views`: features of items, so that a start does not read the texts
// again. The table is a cache: missing rows and rows of another version are computed again.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf } from '../../platform/db.ts';

/** `at`: the time with which the item was assigned, epoch ms. `view`: the encoded features. */
export type FeatureRow = {
  readonly itemId: string;
  readonly at: number;
  readonly view: Uint8Array;
};

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

/** Features of this version by item, with the duplicate group of each. */
export async function findFeatures(
  db: Db,
  version: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly groupId: string; readonly view: Uint8Array }>> {
  if (itemIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('story_views as v')
    .innerJoin('reading_group_members as g', 'g.item_id', 'v.item_id')
    .select(['v.item_id', 'g.group_id', 'v.view'])
    .where('v.item_id', '=', anyOf(itemIds))
    .where('v.version', '=', version)
    .execute();
  return new Map(rows.map(({ item_id, group_id, view }) => [item_id, { groupId: group_id, view }]));
}

/** Writes in the order of item ids, so that two writers cannot deadlock. */
export async function saveFeatures(
  tx: Db,
  version: string,
  views: readonly FeatureRow[],
): Promise<void> {
  if (views.length === 0) return;
  const sorted = [...views].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));
  const ids = sorted.map(({ itemId }) => itemId);
  const times = sorted.map(({ at }) => new Date(at));
  const bytes = sorted.map(({ view }) => Buffer.from(view));
  await sql`
    INSERT INTO story_views (item_id, at, version, view)
    SELECT i.id, n.at, ${version}, n.view
    FROM unnest(${ids}::text[], ${times}::timestamptz[], ${bytes}::bytea[]) AS n (id, at, view)
    JOIN items i ON i.id = n.id
    ORDER BY i.id
    ON CONFLICT (item_id) DO UPDATE SET version = excluded.version, view = excluded.view
  `.execute(sqlOf(tx));
}

/** Deletes features of items whose text may have changed. */
export async function deleteFeatures(tx: Db, itemIds: readonly string[]): Promise<void> {
  await sqlOf(tx).deleteFrom('story_views').where('item_id', '=', anyOf(itemIds)).execute();
}

/** Deletes features of items from before this time, epoch milliseconds. */
export async function deleteFeaturesBefore(tx: Db, before: number): Promise<void> {
  await sqlOf(tx).deleteFrom('story_views').where('at', '<', instant(before)).execute();
}
