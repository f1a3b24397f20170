// Only this file writes `story_pins`: items that operators pinned to a story. A pin always takes
// precedence over the engine.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoryPin = Readonly<Selectable<Schema['story_pins']>>;

export async function insertPins(tx: Db, pins: readonly StoryPin[]): Promise<void> {
  if (pins.length > 0)
    await sqlOf(tx)
      .insertInto('story_pins')
      .values([...pins])
      .execute();
}

export async function deletePins(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(tx)
    .deleteFrom('story_pins')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

export async function findPin(db: Db, id: string): Promise<StoryPin | null> {
  const row = await sqlOf(db)
    .selectFrom('story_pins')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function listPinsOfAction(db: Db, actionId: string): Promise<readonly StoryPin[]> {
  return sqlOf(db)
    .selectFrom('story_pins')
    .selectAll()
    .where('action_id', '=', actionId)
    .orderBy('id')
    .execute();
}

export async function listPinsOfItems(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly StoryPin[]> {
  if (itemIds.length === 0) return [];
  const anyOf = sql<string>`any(${[...itemIds]}::text[])`;
  return sqlOf(db)
    .selectFrom('story_pins')
    .selectAll()
    .where(({ or, eb }) => or([eb('item_id', '=', anyOf), eb('other_item_id', '=', anyOf)]))
    .orderBy('id')
    .execute();
}

/** All pins, oldest first. */
export async function listPins(db: Db): Promise<readonly StoryPin[]> {
  return sqlOf(db).selectFrom('story_pins').selectAll().orderBy('id').execute();
}
