// Only this file writes `item_claims`: the claims in each sentence of an item. The rows are a
// cache of a pure function; `rules` and `revision` identify its version.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type ItemClaims = Readonly<Selectable<Schema['item_claims']>>;

export async function listItemClaims(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly ItemClaims[]> {
  if (itemIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('item_claims')
    .selectAll()
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
}

export async function saveItemClaims(tx: Db, rows: readonly ItemClaims[]): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(tx)
    .insertInto('item_claims')
    .values(rows.map((row) => ({ ...row, claims: JSON.stringify(row.claims) })))
    .onConflict((conflict) =>
      conflict.column('item_id').doUpdateSet((eb) => ({
        revision: eb.ref('excluded.revision'),
        rules: eb.ref('excluded.rules'),
        claims: eb.ref('excluded.claims'),
      })),
    )
    .execute();
}
