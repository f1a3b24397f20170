// Only this file writes `model_routing`: the model that operators chose for each step.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';

export type StoredRouting = {
  /** 0: never set. */
  readonly version: number;
  /** Models by step; absent steps use the configuration. */
  readonly steps: Readonly<Record<string, string>>;
};

export async function findRouting(db: Db): Promise<StoredRouting> {
  const row = await sqlOf(db)
    .selectFrom('model_routing')
    .select(['version', 'steps'])
    .executeTakeFirst();
  return row ?? { version: 0, steps: {} };
}

/** False: the routing was changed after `version` was read. */
export async function saveRouting(
  tx: Db,
  { version, steps }: StoredRouting,
  now: number,
): Promise<boolean> {
  const row = { steps: JSON.stringify(steps), changed_at: toTimestamp(now), version: version + 1 };
  if (version === 0) {
    const { numInsertedOrUpdatedRows = 0n } = await sqlOf(tx)
      .insertInto('model_routing')
      .values({ only_row: true, ...row })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('model_routing')
    .set(row)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
