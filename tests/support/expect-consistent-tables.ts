// Checks invariants of the tables after any crash of their writers. No item waits for enrichment,
// no URL occurs twice, log numbers have no gap, and the change log yields the selected set.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { listSelectedChangesAfter } from '../../src/store/radar/publication/selected-changes.ts';

const count = async (db: Db, statement: string) => {
  const { rows } = await sql<{ count: number }>`${sql.raw(statement)}`.execute(sqlOf(db));
  return Number(rows[0]?.count);
};

export const itemCount = (db: Db) => count(db, 'SELECT count(*) FROM items');
export const publicItemCount = (db: Db) => count(db, 'SELECT count(*) FROM public_items');
export const waitingItemCount = (db: Db) =>
  count(db, 'SELECT count(*) FROM items WHERE awaits_desk_since IS NOT NULL');

export async function expectConsistentTables(db: Db): Promise<void> {
  expect(await waitingItemCount(db)).toBe(0);
  expect(
    await count(db, 'SELECT count(*) - count(DISTINCT canonical_url) AS count FROM items'),
  ).toBe(0);
  const incompleteItemQuery = `SELECT count(*) FROM items i
    LEFT JOIN judgements j ON j.item_id = i.id
    LEFT JOIN reading_group_members m ON m.item_id = i.id
    LEFT JOIN public_items p ON p.id = i.id
    WHERE j.item_id IS NULL OR m.item_id IS NULL OR p.id IS NULL OR p.title <> j.title`;
  expect(await count(db, incompleteItemQuery)).toBe(0);
  expect(await publicItemCount(db)).toBe(await itemCount(db));
  const gapQuery =
    'SELECT (SELECT seq FROM publication_head) - count(*) AS count FROM publication_log';
  expect(await count(db, gapQuery)).toBe(0);
  expect(await replayedSet(db)).toEqual(await selectedSet(db));
}

async function replayedSet(db: Db): Promise<readonly (readonly [string, unknown])[]> {
  const replayed = new Map<string, unknown>();
  for (const { itemId, item } of await listSelectedChangesAfter(db, 0, 100_000)) {
    if (item === null) replayed.delete(itemId);
    else replayed.set(itemId, item.title);
  }
  return [...replayed].sort();
}

async function selectedSet(db: Db): Promise<readonly (readonly [string, unknown])[]> {
  const rows = await sqlOf(db)
    .selectFrom('public_items')
    .select(['id', 'title'])
    .where('selected', '=', true)
    .execute();
  return rows.map(({ id, title }) => [id, title] as const).sort();
}
