// Only this file writes `reading_positions`: the fetch state of each source. A fetch stores its
// state and its result in one transaction.
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestampOrNull } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type FetchStateRow = Readonly<Selectable<Schema['reading_positions']>>;

export function newFetchState(sourceId: string): FetchStateRow {
  return {
    source_id: sourceId,
    etag: null,
    last_modified: null,
    body_hash: null,
    imported_at: null,
    moved_to: null,
    moved_count: 0,
    gone_count: 0,
    failures: 0,
    last_success_at: null,
    next_read_at: null,
  };
}

export async function readFetchState(db: Db, sourceId: string): Promise<FetchStateRow> {
  const row = await sqlOf(db)
    .selectFrom('reading_positions')
    .selectAll()
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row ?? newFetchState(sourceId);
}

/** Reads the states of all sources in one query. */
export async function readFetchStates(db: Db): Promise<ReadonlyMap<string, FetchStateRow>> {
  const rows = await sqlOf(db).selectFrom('reading_positions').selectAll().execute();
  return new Map(rows.map((row) => [row.source_id, row]));
}

export async function saveFetchState(db: Db, fetchState: FetchStateRow): Promise<void> {
  const row: Insertable<Schema['reading_positions']> = {
    ...fetchState,
    imported_at: toTimestampOrNull(fetchState.imported_at),
    last_success_at: toTimestampOrNull(fetchState.last_success_at),
    next_read_at: toTimestampOrNull(fetchState.next_read_at),
  };
  await sqlOf(db)
    .insertInto('reading_positions')
    .values(row)
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(row))
    .execute();
}

/** Active sources with an address and a due fetch, longest due first. */
export async function listDueSources(db: Db, now: number): Promise<readonly string[]> {
  const rows = await sqlOf(db)
    .selectFrom('sources')
    .leftJoin('reading_positions', 'source_id', 'id')
    .select('id')
    .where('status', '=', 'active')
    .where('kind', '!=', 'push')
    .where((where) =>
      where.or([where('next_read_at', 'is', null), where('next_read_at', '<=', instant(now))]),
    )
    .orderBy('next_read_at', (order) => order.asc().nullsFirst())
    .execute();
  return rows.map((row) => row.id);
}

/** Makes a source due at once and resets its count of gone responses. */
export async function makeDueNow(db: Db, sourceId: string): Promise<void> {
  await sqlOf(db)
    .updateTable('reading_positions')
    .set({ next_read_at: null, gone_count: 0 })
    .where('source_id', '=', sourceId)
    .execute();
}
