// Only this file writes `selected_ledger`: the selected change log. A row is one item's state from
// the row's number until the item's next row, so any past state can be read.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';

export type SelectedState = {
  readonly itemId: string;
  /** Null: the item is not in the selected set. */
  readonly item: Record<string, unknown> | null;
};

/** The current state of these items in the log; absent: never selected. */
export async function listCurrentSelectedStates(
  tx: Db,
  itemIds: readonly string[],
): Promise<readonly SelectedState[]> {
  if (itemIds.length === 0) return [];
  const rows = await sqlOf(tx)
    .selectFrom('selected_ledger')
    .select(['item_id', 'item'])
    .where('superseded_seq', 'is', null)
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return rows.map((row) => ({ itemId: row.item_id, item: row.item }));
}

export type NewSelectedChange = SelectedState & { readonly seq: number };

/** Appends at most one state per item, and marks the item's previous state as superseded. */
export async function appendSelectedChanges(
  tx: Db,
  changes: readonly NewSelectedChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map((change) => change.itemId);
  const seqs = changes.map((change) => change.seq);
  await sql`
    UPDATE selected_ledger AS l SET superseded_seq = c.seq
    FROM unnest(${ids}::text[], ${seqs}::bigint[]) AS c(item_id, seq)
    WHERE l.item_id = c.item_id AND l.superseded_seq IS NULL`.execute(sqlOf(tx));
  await sqlOf(tx)
    .insertInto('selected_ledger')
    .values(
      changes.map((change) => ({
        seq: change.seq,
        item_id: change.itemId,
        op: change.item ? ('upsert' as const) : ('remove' as const),
        changed_at: toTimestamp(now),
        item: change.item && JSON.stringify(change.item),
        superseded_seq: null,
      })),
    )
    .execute();
}

export type SnapshotPage = {
  readonly items: readonly Record<string, unknown>[];
  /** The last id of the page; the next page starts after it. */
  readonly lastId: string | null;
  readonly hasMore: boolean;
};

/**
 * One page of the set at `watermark`, ascending by id, without items that were withdrawn later.
 * Items that were later deselected, but not withdrawn, are included; the changes after `watermark`
 * remove them.
 */
export async function readSnapshotPage(
  db: Db,
  watermark: number,
  afterId: string,
  limit: number,
): Promise<SnapshotPage> {
  const rows = await selectSnapshotRows(db, watermark)
    .select(['l.item_id', 'l.item'])
    .where('l.item_id', '>', afterId)
    .orderBy('l.item_id')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  return {
    items: page.flatMap((row) => (row.item ? [row.item] : [])),
    lastId: page.at(-1)?.item_id ?? null,
    hasMore: rows.length > limit,
  };
}

export async function countSnapshot(db: Db, watermark: number): Promise<number> {
  const row = await selectSnapshotRows(db, watermark)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function selectSnapshotRows(db: Db, watermark: number) {
  return sqlOf(db)
    .selectFrom('selected_ledger as l')
    .innerJoin('public_items as p', 'p.id', 'l.item_id')
    .where('l.op', '=', 'upsert')
    .where('l.seq', '<=', watermark)
    .where((where) =>
      where.or([where('l.superseded_seq', 'is', null), where('l.superseded_seq', '>', watermark)]),
    );
}

export type SelectedChangeRow = {
  readonly seq: number;
  readonly itemId: string;
  readonly changedAt: number;
  /** Null: the item was removed from the set, or withdrawn later. */
  readonly item: Record<string, unknown> | null;
};

/**
 * Up to `limit` rows after `cursor`, in commit order. If an item was withdrawn later, its rows are
 * returned as removals.
 */
export async function listSelectedChangesAfter(
  db: Db,
  cursor: number,
  limit: number,
): Promise<readonly SelectedChangeRow[]> {
  const rows = await sqlOf(db)
    .selectFrom('selected_ledger as l')
    .leftJoin('public_items as p', 'p.id', 'l.item_id')
    .select(['l.seq', 'l.item_id', 'l.changed_at', 'l.item', 'p.id as public_id'])
    .where('l.seq', '>', cursor)
    .orderBy('l.seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    itemId: row.item_id,
    changedAt: row.changed_at,
    item: row.public_id === null ? null : row.item,
  }));
}

/**
 * Deletes states that a newer state superseded before an instant. The newest state of each item
 * stays, so a client with a cursor of any age reaches the current set.
 */
export async function compactSelectedChanges(db: Db, before: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM selected_ledger AS l USING selected_ledger AS n
    WHERE n.seq = l.superseded_seq AND n.changed_at < ${toTimestamp(before)}`.execute(sqlOf(db));
  return Number(numAffectedRows ?? 0n);
}
