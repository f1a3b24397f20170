// Only this file writes `alerts`: raised and cleared alerts about the installation.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { AlertSeverity } from '../schema/notifications.ts';
import type { Schema } from '../schema/schema.ts';

export type AlertRow = Readonly<Selectable<Schema['alerts']>>;

export type NewAlert = {
  readonly id: string;
  readonly key: string;
  readonly condition: string;
  readonly severity: AlertSeverity;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly raisedAt: number;
};

/** Null: the alert is already raised. */
export async function insertAlert(tx: Db, alert: NewAlert): Promise<AlertRow | null> {
  const row = await sqlOf(tx)
    .insertInto('alerts')
    .values({
      id: alert.id,
      key: alert.key,
      condition: alert.condition,
      severity: alert.severity,
      facts: JSON.stringify(alert.facts),
      raised_at: toTimestamp(alert.raisedAt),
      cleared_at: null,
      sent: 0,
      sent_at: null,
    })
    .onConflict((conflict) => conflict.columns(['key']).where('cleared_at', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Raised alerts, oldest first. */
export async function listRaisedAlerts(db: Db): Promise<readonly AlertRow[]> {
  return sqlOf(db)
    .selectFrom('alerts')
    .selectAll()
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .orderBy('id')
    .execute();
}

export async function listAlertRows(db: Db, ids: readonly string[]): Promise<readonly AlertRow[]> {
  if (ids.length === 0) return [];
  return sqlOf(db)
    .selectFrom('alerts')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('raised_at')
    .orderBy('id')
    .execute();
}

export async function markAlertsSent(tx: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(tx)
    .updateTable('alerts')
    .set((eb) => ({ sent: eb('sent', '+', 1), sent_at: toTimestampOrNull(now) }))
    .where('id', 'in', [...ids])
    .execute();
}

/** False: another process has cleared the alert. */
export async function clearAlert(tx: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('alerts')
    .set({ cleared_at: toTimestamp(now) })
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteOldAlerts(db: Db, before: number): Promise<void> {
  await sqlOf(db).deleteFrom('alerts').where('cleared_at', '<', instant(before)).execute();
}
