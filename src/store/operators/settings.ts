// Only this file writes `settings`: the values of the setup page.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';

export async function readSettingValues(db: Db): Promise<ReadonlyMap<string, unknown>> {
  const rows = await sqlOf(db).selectFrom('settings').select(['name', 'value']).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function saveSettingValues(
  tx: Db,
  values: Readonly<Record<string, unknown>>,
  at: number,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const row = { name, value: JSON.stringify(value), changed_at: toTimestamp(at) };
    await sqlOf(tx)
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  }
}
