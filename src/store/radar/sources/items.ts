// Only this file writes `items`: the texts of sources before enrichment and corrections.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredItem = Readonly<Selectable<Schema['items']>>;
/** The stored fields that are compared with a fetched entry before it is written. */
export type KnownItem = Pick<
  StoredItem,
  'id' | 'entry_key' | 'canonical_url' | 'content_hash' | 'revision' | 'published_at'
>;

const knownColumns = [
  'id',
  'entry_key',
  'canonical_url',
  'content_hash',
  'revision',
  'published_at',
] as const;

export async function listKnownItems(
  db: Db,
  sourceId: string,
  entryKeys: readonly string[],
  canonicalUrls: readonly string[],
): Promise<readonly KnownItem[]> {
  return sqlOf(db)
    .selectFrom('items')
    .select(knownColumns)
    .where('source_id', '=', sourceId)
    .where((where) =>
      where.or([
        where('entry_key', '=', sql<string>`any(${[...entryKeys]}::text[])`),
        where('canonical_url', '=', sql<string>`any(${[...canonicalUrls]}::text[])`),
      ]),
    )
    .execute();
}

/** Items of a source with one of these titles, with their texts. */
export async function listItemsTitled(
  db: Db,
  sourceId: string,
  titles: readonly string[],
): Promise<readonly (KnownItem & Pick<StoredItem, 'title' | 'summary' | 'content'>)[]> {
  return (
    sqlOf(db)
      .selectFrom('items')
      .select([...knownColumns, 'title', 'summary', 'content'])
      .where('source_id', '=', sourceId)
      // The index has the MD5 hash, because a title can be longer than an index entry.
      .where(sql`md5(title)`, 'in', sql`(select md5(t) from unnest(${[...titles]}::text[]) as t)`)
      .execute()
  );
}

export async function insertItem(db: Db, item: StoredItem): Promise<void> {
  await sqlOf(db).insertInto('items').values(toRow(item)).execute();
}

export type ItemEdit = Pick<
  StoredItem,
  | 'entry_key'
  | 'url'
  | 'canonical_url'
  | 'title'
  | 'summary'
  | 'content'
  | 'author'
  | 'language'
  | 'published_at'
  | 'content_hash'
>;

/** Stores the current text of the source and queues the item for enrichment. */
export async function editItem(db: Db, id: string, edit: ItemEdit, now: number): Promise<void> {
  await sqlOf(db)
    .updateTable('items')
    .set({
      ...edit,
      published_at: toTimestampOrNull(edit.published_at),
      article: null,
      revision: sql<number>`revision + 1`,
      updated_at: toTimestamp(now),
      awaits_desk_since: toTimestamp(now),
    })
    .where('id', '=', id)
    .execute();
}

/** Publication times of the source's newest items, where known. */
export async function listNewestPublications(
  db: Db,
  sourceId: string,
  limit: number,
): Promise<readonly number[]> {
  const rows = await sqlOf(db)
    .selectFrom('items')
    .select('published_at')
    .where('source_id', '=', sourceId)
    .where('published_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.published_at ?? []);
}

/** Newest first, so that the latest items are ready before older items. */
export async function listItemsAwaitingEnrichment(
  db: Db,
  sourceId: string,
  { except, limit }: { readonly except: readonly string[]; readonly limit: number },
): Promise<readonly StoredItem[]> {
  return sqlOf(db)
    .selectFrom('items')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('awaits_desk_since', 'is not', null)
    .where('id', '!=', sql<string>`all(${[...except]}::text[])`)
    .orderBy(sql`coalesce(published_at, discovered_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Sources with waiting items, so that work of a killed process is found again. */
export async function listSourcesAwaitingEnrichment(db: Db): Promise<readonly string[]> {
  const rows = await sqlOf(db)
    .selectFrom('items')
    .select('source_id')
    .distinct()
    .where('awaits_desk_since', 'is not', null)
    .execute();
  return rows.map((row) => row.source_id);
}

/** The given items that still wait for enrichment, with their revision. */
export async function readAwaitingRevisions(
  tx: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sqlOf(tx)
    .selectFrom('items')
    .select(['id', 'revision'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('awaits_desk_since', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row.revision]));
}

export async function findItem(db: Db, id: string): Promise<StoredItem | null> {
  const row = await sqlOf(db)
    .selectFrom('items')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export type EnrichmentFilter = {
  /** Only these items; null: all items that meet the other conditions. */
  readonly ids: readonly string[] | null;
  /** Only items discovered since this time; epoch milliseconds. */
  readonly since: number | null;
  /** Only items with a step that did not use a model. */
  readonly isMarked: boolean;
};

/** Queues unchanged items for enrichment again; returns their ids. */
export async function queueEnrichment(
  db: Db,
  { ids, since, isMarked }: EnrichmentFilter,
  now: number,
): Promise<readonly string[]> {
  const byRules = sql`(j.model_record IS NULL
    OR j.model_record->'steps' @> '[{"by":"rules"}]'::jsonb)`;
  const { rows } = await sql<{ id: string }>`
    UPDATE items i SET awaits_desk_since = ${toTimestamp(now)}
    FROM judgements j
    WHERE j.item_id = i.id
      AND (${ids === null} OR i.id = any(${[...(ids ?? [])]}::text[]))
      AND (${since === null} OR i.discovered_at >= ${toTimestamp(since ?? 0)})
      AND (${!isMarked} OR ${byRules})
    RETURNING i.id`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

/** Number of these items that still wait for enrichment. */
export async function countAwaiting(db: Db, ids: readonly string[]): Promise<number> {
  const { count } = await sqlOf(db)
    .selectFrom('items')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('awaits_desk_since', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores the fetched article of each item, and ends the items' wait for enrichment. */
export async function markEnriched(
  tx: Db,
  articles: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (articles.size === 0) return;
  await sql`
    UPDATE items i SET awaits_desk_since = NULL, article = n.article
    FROM unnest(${[...articles.keys()]}::text[], ${[...articles.values()]}::text[])
      AS n (id, article)
    WHERE i.id = n.id`.execute(sqlOf(tx));
}

function toRow(item: StoredItem) {
  return {
    ...item,
    published_at: toTimestampOrNull(item.published_at),
    discovered_at: toTimestamp(item.discovered_at),
    updated_at: toTimestamp(item.updated_at),
    awaits_desk_since: toTimestampOrNull(item.awaits_desk_since),
  };
}
