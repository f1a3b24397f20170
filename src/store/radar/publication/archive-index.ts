// Only this file writes `archive_index`: the words of public items. A search joins `public_items`,
// so withdrawn items are never found.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { PublicItemRow } from './public-items.ts';

export type ArchiveTerms = {
  readonly id: string;
  readonly at: number;
  readonly terms: readonly string[];
};

/**
 * `missing`: inserts only rows that do not exist yet, because another process may have stored newer
 * rows.
 */
export async function saveArchiveTerms(
  tx: Db,
  rows: readonly ArchiveTerms[],
  selection: 'all' | 'missing',
): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(tx)
    .insertInto('archive_index')
    .values(
      rows.map(({ id, at, terms }) => ({
        id,
        at: toTimestamp(at),
        terms: sql<string>`array_to_tsvector(${[...terms]}::text[])`,
      })),
    )
    .onConflict((conflict) =>
      selection === 'missing'
        ? conflict.column('id').doNothing()
        : conflict
            .column('id')
            .doUpdateSet((eb) => ({ at: eb.ref('excluded.at'), terms: eb.ref('excluded.terms') }))
            // A story's change publishes its items again, and most have the same words.
            .where(
              sql<boolean>`(archive_index.at, archive_index.terms)
                IS DISTINCT FROM (excluded.at, excluded.terms)`,
            ),
    )
    .execute();
}

export async function deleteArchiveTerms(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(tx)
    .deleteFrom('archive_index')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

export async function clearArchiveIndex(tx: Db): Promise<void> {
  await sqlOf(tx).deleteFrom('archive_index').execute();
}

/** Public items without words, by ascending id. */
export async function listItemsWithoutTerms(
  db: Db,
  afterId: string,
  limit: number,
): Promise<readonly PublicItemRow[]> {
  return sqlOf(db)
    .selectFrom('public_items')
    .selectAll()
    .where('id', '>', afterId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('archive_index')
            .select('archive_index.id')
            .whereRef('archive_index.id', '=', 'public_items.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

export type ArchiveSearch = {
  /** A tsquery. */
  readonly terms: string;
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Items before this place in the order of time and id. */
  readonly before: { readonly at: number; readonly id: string };
  readonly category: string | null;
  readonly sourceName: string | null;
  /** Beginning of the language tag. */
  readonly language: string | null;
  readonly limit: number;
};

/** Newest first. The words are looked up before the sort, so a rare word reads few rows. */
export async function searchArchiveRows(
  db: Db,
  { terms, from, before, category, sourceName, language, limit }: ArchiveSearch,
): Promise<readonly PublicItemRow[]> {
  const rows = await sqlOf(db)
    .with(
      (cte) => cte('hits').materialized(),
      (query) =>
        query
          .selectFrom('archive_index')
          .select('id')
          .where(sql<boolean>`terms @@ ${terms}::tsquery`)
          .where('at', '>=', instant(from))
          .where(sql<boolean>`(at, id) < (${instant(before.at)}, ${before.id})`),
    )
    .selectFrom('hits')
    .innerJoin('public_items', 'public_items.id', 'hits.id')
    .selectAll('public_items')
    .$if(category !== null, (query) => query.where('public_items.category', '=', category))
    .$if(sourceName !== null, (query) => query.where('source_name', '=', sourceName))
    .$if(language !== null, (query) => query.where('language', 'like', `${language}%`))
    .orderBy('timeline_at', 'desc')
    .orderBy('public_items.id', 'desc')
    .limit(limit)
    .execute();
  return rows;
}
