// Only this file writes operators' changes to enrichments: `item_overrides` (the current values)
// and `item_actions` (the history).
import type { Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type ItemOverride = Readonly<Selectable<Schema['item_overrides']>>;
export type ItemAction = Readonly<Selectable<Schema['item_actions']>>;

/** The current override, locked until the caller's transaction ends. */
export async function lockOverride(tx: Db, itemId: string): Promise<ItemOverride> {
  await sqlOf(tx)
    .insertInto('item_overrides')
    .values({ ...noOverride(itemId), withdrawn_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return sqlOf(tx)
    .selectFrom('item_overrides')
    .selectAll()
    .where('item_id', '=', itemId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function findOverride(db: Db, itemId: string): Promise<ItemOverride> {
  const row = await sqlOf(db)
    .selectFrom('item_overrides')
    .selectAll()
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row ?? noOverride(itemId);
}

const noOverride = (itemId: string): ItemOverride => ({
  item_id: itemId,
  withdrawn_at: null,
  title: null,
  summary: null,
  category: null,
  version: 0,
});

export async function saveOverride(tx: Db, override: ItemOverride, action: ItemAction) {
  await sqlOf(tx)
    .updateTable('item_overrides')
    .set({
      title: override.title,
      summary: override.summary,
      category: override.category,
      withdrawn_at: toTimestampOrNull(override.withdrawn_at),
      version: override.version + 1,
    })
    .where('item_id', '=', override.item_id)
    .execute();
  await sqlOf(tx)
    .insertInto('item_actions')
    .values({ ...action, at: toTimestamp(action.at), fields: JSON.stringify(action.fields) })
    .execute();
}

export async function listActionsOfItem(db: Db, itemId: string): Promise<readonly ItemAction[]> {
  return sqlOf(db)
    .selectFrom('item_actions')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
