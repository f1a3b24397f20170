// How providers did, as each node saw it: the only writer of `provider_health`.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type ProviderHealthRow = Readonly<Selectable<Schema['provider_health']>>;

/** Also deletes reports older than `forgetBefore`: their nodes have ended. */
export async function saveProviderHealth(
  db: Db,
  rows: readonly ProviderHealthRow[],
  forgetBefore: number,
): Promise<void> {
  await sqlOf(db).deleteFrom('provider_health').where('at', '<', instant(forgetBefore)).execute();
  if (rows.length === 0) return;
  await sqlOf(db)
    .insertInto('provider_health')
    .values(
      rows.map((row) => ({
        ...row,
        last_success_at: toTimestampOrNull(row.last_success_at),
        last_failure_at: toTimestampOrNull(row.last_failure_at),
        at: toTimestamp(row.at),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['node', 'capability', 'provider']).doUpdateSet((set) => ({
        circuit: set.ref('excluded.circuit'),
        calls: set.ref('excluded.calls'),
        failures: set.ref('excluded.failures'),
        latency_ms: set.ref('excluded.latency_ms'),
        last_success_at: set.ref('excluded.last_success_at'),
        last_failure_at: set.ref('excluded.last_failure_at'),
        at: set.ref('excluded.at'),
      })),
    )
    .execute();
}

/** Reports since an instant. */
export async function readProviderHealth(
  db: Db,
  since: number,
): Promise<readonly ProviderHealthRow[]> {
  return sqlOf(db)
    .selectFrom('provider_health')
    .selectAll()
    .where('at', '>=', instant(since))
    .orderBy('capability')
    .orderBy('provider')
    .orderBy('node')
    .execute();
}

export async function forgetNodeHealth(db: Db, node: string): Promise<void> {
  await sqlOf(db).deleteFrom('provider_health').where('node', '=', node).execute();
}
