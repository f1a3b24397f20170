// Only this file writes `switches`: the kill switches that operators set.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type SwitchRow = Readonly<Selectable<Schema['switches']>>;

/** All switches that were ever set. */
export async function readSwitches(db: Db): Promise<readonly SwitchRow[]> {
  return sqlOf(db).selectFrom('switches').selectAll().orderBy('kind').orderBy('name').execute();
}

/** Returns false unless `row.version` is the stored version plus 1. The first version is 1. */
export async function setSwitchRow(tx: Db, row: SwitchRow): Promise<boolean> {
  const values = { ...row, at: toTimestamp(row.at) };
  const updated = await sqlOf(tx)
    .insertInto('switches')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'name'])
        .doUpdateSet(values)
        .where('switches.version', '=', row.version - 1),
    )
    .returning('version')
    .executeTakeFirst();
  return updated !== undefined;
}
