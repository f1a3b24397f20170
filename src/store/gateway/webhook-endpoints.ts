// Only this file writes `webhook_endpoints`: the addresses of customers that receive events.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inTransaction, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import type { Schema } from '../schema/schema.ts';
import { WEBHOOKS_CHANNEL } from './webhook-events.ts';

export type EndpointRow = Readonly<Selectable<Schema['webhook_endpoints']>>;
export type EndpointOwner = { readonly accountId: string; readonly livemode: boolean };

/**
 * `known`: the account already has this address in this mode; `too_many`: it has `max` endpoints.
 */
export async function insertEndpoint(
  db: Db,
  row: EndpointRow,
  max: number,
): Promise<'inserted' | 'known' | 'too_many'> {
  return inTransaction(db, async (tx) => {
    // The lock serializes concurrent inserts, so the count is exact.
    await sql`SELECT 1 FROM accounts WHERE id = ${row.account_id} FOR UPDATE`.execute(sqlOf(tx));
    const owner = { accountId: row.account_id, livemode: row.livemode };
    const all = await listEndpointRows(tx, owner);
    if (all.some(({ url }) => url === row.url)) return 'known';
    if (all.length >= max) return 'too_many';
    await sqlOf(tx)
      .insertInto('webhook_endpoints')
      .values({
        ...row,
        old_secret_until: toTimestampOrNull(row.old_secret_until),
        created_at: toTimestamp(row.created_at),
      })
      .execute();
    return 'inserted';
  });
}

/** Oldest first. */
export async function listEndpointRows(
  db: Db,
  { accountId, livemode }: EndpointOwner,
): Promise<readonly EndpointRow[]> {
  return sqlOf(db)
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findEndpointRow(
  db: Db,
  { accountId, livemode }: EndpointOwner,
  id: string,
): Promise<EndpointRow | null> {
  const row = await sqlOf(db)
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .executeTakeFirst();
  return row ?? null;
}

export type EndpointChange = Partial<
  Pick<EndpointRow, 'url' | 'events' | 'state' | 'secret' | 'old_secret' | 'old_secret_until'>
>;

/** False: the endpoint was changed since `version` or deleted. */
export async function updateEndpoint(
  db: Db,
  id: string,
  version: number,
  { old_secret_until, ...change }: EndpointChange,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('webhook_endpoints')
    .set({
      ...change,
      ...(old_secret_until !== undefined && {
        old_secret_until: toTimestampOrNull(old_secret_until),
      }),
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  // Deliveries wait while an endpoint is off, and are due when it is on again.
  if (numUpdatedRows > 0n) await notify(db, WEBHOOKS_CHANNEL);
  return numUpdatedRows > 0n;
}

/** The endpoint returned 410 and receives no further events. */
export async function markEndpointGone(db: Db, id: string): Promise<void> {
  await sqlOf(db)
    .updateTable('webhook_endpoints')
    .set({ state: 'gone', version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Deletes an endpoint with its pending deliveries. */
export async function deleteEndpoint(db: Db, id: string): Promise<void> {
  await sqlOf(db).deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

/** Deletes the endpoints of a deleted account with their deliveries. */
export async function deleteEndpoints(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx).deleteFrom('webhook_endpoints').where('account_id', '=', accountId).execute();
}
