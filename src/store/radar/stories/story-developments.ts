// Only this file writes `story_developments`: for each report, the development of its story. The id
// of the first report identifies a development.
import type { Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoryDevelopment = Readonly<Selectable<Schema['story_developments']>>;

/** Replaces the stored developments of these reports. */
export async function putDevelopments(tx: Db, rows: readonly StoryDevelopment[]): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_developments')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .column('item_id')
        .doUpdateSet((eb) => ({ development: eb.ref('excluded.development') })),
    )
    .execute();
}
