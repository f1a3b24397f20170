// Only this file writes `public_items`: the public fields of items. The read model of every node
// loads its items from this table.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import {
  excludedValues,
  instant,
  sqlOf,
  toTimestamp,
  toTimestampOrNull,
} from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type PublicItemRow = Readonly<Selectable<Schema['public_items']>>;

export async function listPublicItemRows(
  db: Db,
  ids: readonly string[],
): Promise<readonly PublicItemRow[]> {
  if (ids.length === 0) return [];
  return sqlOf(db)
    .selectFrom('public_items')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

export async function upsertPublicItems(tx: Db, rows: readonly PublicItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(tx)
    .insertInto('public_items')
    .values(rows.map(toRow))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(excludedValues(mutableColumns)))
    .execute();
}

const mutableColumns = [
  'title',
  'original_title',
  'summary',
  'source_name',
  'original_url',
  'published_at',
  'discovered_at',
  'category',
  'score',
  'selected',
  'reason',
  'language',
  'summary_by',
  'story_id',
  'timeline_at',
  'published_sort_at',
] as const satisfies readonly (keyof PublicItemRow)[];

const toRow = (item: PublicItemRow) => ({
  ...item,
  published_at: toTimestampOrNull(item.published_at),
  discovered_at: toTimestamp(item.discovered_at),
  timeline_at: toTimestamp(item.timeline_at),
  published_sort_at: toTimestamp(item.published_sort_at),
});

export async function deletePublicItems(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(tx)
    .deleteFrom('public_items')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/** All public items that any window may contain, in pages of `limit` by ascending id. */
export async function listPublicItemsSince(
  db: Db,
  since: number,
  afterId: string,
  limit: number,
): Promise<readonly PublicItemRow[]> {
  return sqlOf(db)
    .selectFrom('public_items')
    .selectAll()
    .where('id', '>', afterId)
    .where((where) =>
      where.or([
        where('timeline_at', '>=', instant(since)),
        where('published_sort_at', '>=', instant(since)),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

export type LoggedItem = {
  readonly seq: number;
  readonly itemId: string;
  /** Null: not public, or no longer public. */
  readonly row: PublicItemRow | null;
};

/** Items changed after `seq`, in their current state; each item once, at its last change. */
export async function listPublicChangesSince(db: Db, seq: number): Promise<readonly LoggedItem[]> {
  const logged = await sqlOf(db)
    .selectFrom('publication_log')
    .select(({ fn }) => ['key', fn.max('seq').as('seq')])
    .where('seq', '>', seq)
    .where('kind', '=', 'item')
    .groupBy('key')
    .orderBy('seq')
    .execute();
  const rows = await listPublicItemRows(
    db,
    logged.map((change) => change.key),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return logged.map((change) => ({
    seq: Number(change.seq),
    itemId: change.key,
    row: byId.get(change.key) ?? null,
  }));
}
