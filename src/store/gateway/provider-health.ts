// Only this file writes `provider_health` (the last report of each node about each provider) and
// `provider_hours` (sums by hour).
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type ProviderHealthRow = Readonly<Selectable<Schema['provider_health']>>;

/** Also deletes reports older than `deleteBefore`, which come from ended nodes. */
export async function saveProviderHealth(
  db: Db,
  rows: readonly ProviderHealthRow[],
  deleteBefore: number,
): Promise<void> {
  await sqlOf(db).deleteFrom('provider_health').where('at', '<', instant(deleteBefore)).execute();
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
        is_account_refused: set.ref('excluded.is_account_refused'),
        at: set.ref('excluded.at'),
      })),
    )
    .execute();
}

/** Reports since `since`. */
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

export async function deleteNodeHealth(db: Db, node: string): Promise<void> {
  await sqlOf(db).deleteFrom('provider_health').where('node', '=', node).execute();
}

export type ProviderHourRow = Readonly<Selectable<Schema['provider_hours']>>;

/** Adds to the hourly sums. Also deletes hours before `deleteBefore`. */
export async function addProviderHours(
  db: Db,
  rows: readonly ProviderHourRow[],
  deleteBefore: number,
): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(db).deleteFrom('provider_hours').where('hour', '<', instant(deleteBefore)).execute();
  await sqlOf(db)
    .insertInto('provider_hours')
    .values(
      [...rows]
        // Sorted, so that two processes cannot deadlock.
        .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
        .map(({ hour, ...row }) => ({ ...row, hour: toTimestamp(hour) })),
    )
    .onConflict((conflict) =>
      conflict.columns(['hour', 'capability', 'provider']).doUpdateSet((set) => ({
        calls: set('provider_hours.calls', '+', set.ref('excluded.calls')),
        failures: set('provider_hours.failures', '+', set.ref('excluded.failures')),
        latency_ms: set('provider_hours.latency_ms', '+', set.ref('excluded.latency_ms')),
      })),
    )
    .execute();
}

const sortKeyOf = ({ hour, capability, provider }: ProviderHourRow) =>
  `${hour} ${capability} ${provider}`;

/** By capability, provider and hour. */
export async function readProviderHours(
  db: Db,
  since: number,
): Promise<readonly ProviderHourRow[]> {
  return sqlOf(db)
    .selectFrom('provider_hours')
    .selectAll()
    .where('hour', '>=', instant(since))
    .orderBy('capability')
    .orderBy('provider')
    .orderBy('hour')
    .execute();
}
