// Only this file writes `sources`: the sources that operators defined.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { SourceStatus } from '../../schema/radar.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredSource = Readonly<Selectable<Schema['sources']>>;
export type NewSource = Omit<
  StoredSource,
  'status' | 'verified_at' | 'created_at' | 'updated_at' | 'version' | 'removed_at'
>;

export type InsertSourceResult =
  | { readonly kind: 'added' }
  | { readonly kind: 'taken'; readonly by: string };

/** `taken`: another source has this id or this address. */
export async function insertSource(
  db: Db,
  source: NewSource,
  now: number,
): Promise<InsertSourceResult> {
  const inserted = await sqlOf(db)
    .insertInto('sources')
    .values({
      ...source,
      settings: JSON.stringify(source.settings),
      status: 'active',
      verified_at: null,
      created_at: toTimestamp(now),
      updated_at: toTimestamp(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return { kind: 'added' };
  if (await restoreSource(db, source, now)) return { kind: 'added' };
  const holder = await sqlOf(db)
    .selectFrom('sources')
    .select('id')
    .where((where) =>
      where.or([
        where('id', '=', source.id),
        ...(source.url === null ? [] : [where('url', '=', source.url)]),
      ]),
    )
    .executeTakeFirst();
  return { kind: 'taken', by: holder?.id ?? source.id };
}

/** Restores a removed source with this id: it gets the new definition and keeps its items. */
async function restoreSource(db: Db, source: NewSource, now: number): Promise<boolean> {
  const { id, url, ...fields } = source;
  const restored = await sqlOf(db)
    .updateTable('sources')
    .set({
      ...fields,
      url,
      settings: JSON.stringify(source.settings),
      status: 'active',
      verified_at: null,
      removed_at: null,
      updated_at: toTimestamp(now),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sources as other').select('other.id').where('other.url', '=', url))),
    )
    .executeTakeFirst();
  return restored.numUpdatedRows > 0n;
}

/**
 * Deletes a source without items. A source with items keeps its row without an address: it is
 * neither listed nor fetched.
 */
export async function removeSource(tx: Db, id: string, now: number): Promise<void> {
  const query = sqlOf(tx);
  const deleted = await query
    .deleteFrom('sources')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('items').select('items.id').where('items.source_id', '=', id))),
    )
    .executeTakeFirst();
  if (deleted.numDeletedRows > 0n) return;
  await query
    .updateTable('sources')
    .set({
      url: null,
      status: 'paused',
      removed_at: toTimestamp(now),
      updated_at: toTimestamp(now),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Sources that are not removed. */
export async function listSources(db: Db): Promise<readonly StoredSource[]> {
  return sqlOf(db)
    .selectFrom('sources')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function findSource(db: Db, id: string): Promise<StoredSource | null> {
  const row = await sqlOf(db)
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the source until the caller's transaction ends. Waits for a concurrent ingestion. */
export async function lockSource(tx: Db, id: string): Promise<StoredSource | null> {
  const row = await sqlOf(tx)
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the sources in the order of their ids, so that two transactions cannot deadlock. */
export async function lockSources(tx: Db, ids: readonly string[]): Promise<void> {
  await sqlOf(tx)
    .selectFrom('sources')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function setSourceStatus(
  db: Db,
  id: string,
  status: SourceStatus,
  now: number,
): Promise<boolean> {
  const result = await sqlOf(db)
    .updateTable('sources')
    .set({ status, updated_at: toTimestamp(now), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export type SaveSourceResult =
  | { readonly kind: 'saved' }
  | { readonly kind: 'taken'; readonly by: string };

/** Writes a new definition of the locked source; `taken`: another source has this address. */
export async function saveSource(
  tx: Db,
  source: NewSource,
  now: number,
): Promise<SaveSourceResult> {
  const { id, ...fields } = source;
  const holder = await sqlOf(tx)
    .selectFrom('sources')
    .select('id')
    .where('url', '=', source.url)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (holder !== undefined) return { kind: 'taken', by: holder.id };
  await sqlOf(tx)
    .updateTable('sources')
    .set({
      ...fields,
      settings: JSON.stringify(source.settings),
      updated_at: toTimestamp(now),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
  return { kind: 'saved' };
}

/** Stores a confirmed permanent move; does nothing when another source has that address. */
export async function moveSource(db: Db, id: string, url: string, now: number): Promise<boolean> {
  const query = sqlOf(db);
  const result = await query
    .updateTable('sources')
    .set({ url, updated_at: toTimestamp(now), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sources as other').select('other.id').where('other.url', '=', url))),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function markSourceVerified(db: Db, id: string, now: number): Promise<void> {
  await sqlOf(db)
    .updateTable('sources')
    .set({ verified_at: toTimestamp(now) })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute();
}
