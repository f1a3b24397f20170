// Saved queries with a schedule and a channel: the only writer of `subscriptions`.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import type { Schema } from '../schema/schema.ts';

/** Notified of every change, so that matchers load the subscriptions again. */
export const SUBSCRIPTIONS_CHANNEL = 'radar_subscriptions';

export type SubscriptionRow = Readonly<Selectable<Schema['subscriptions']>>;

export type InsertedSubscription =
  | { readonly kind: 'inserted' }
  /** An equal one exists on the same channel. */
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'too_many' };

export async function insertSubscription(
  db: Db,
  row: SubscriptionRow,
  most: number,
): Promise<InsertedSubscription> {
  const { count } = await sqlOf(db)
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) return { kind: 'too_many' };
  const inserted = await sqlOf(db)
    .insertInto('subscriptions')
    .values({
      id: row.id,
      name: row.name,
      kind: row.kind,
      state: row.state,
      channel_id: row.channel_id,
      language: row.language,
      match: JSON.stringify(row.match),
      schedule: JSON.stringify(row.schedule),
      quiet: row.quiet === null ? null : JSON.stringify(row.quiet),
      updates: row.updates,
      hash: row.hash,
      next_at: toTimestampOrNull(row.next_at),
      version: row.version,
      created_at: toTimestamp(row.created_at),
    })
    .onConflict((conflict) => conflict.columns(['channel_id', 'hash']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) {
    const known = await sqlOf(db)
      .selectFrom('subscriptions')
      .select('id')
      .where('channel_id', '=', row.channel_id)
      .where('hash', '=', row.hash)
      .executeTakeFirstOrThrow();
    return { kind: 'known', id: known.id };
  }
  await notify(db, SUBSCRIPTIONS_CHANNEL);
  return { kind: 'inserted' };
}

/** Oldest first. */
export async function subscriptionRows(db: Db): Promise<readonly SubscriptionRow[]> {
  return sqlOf(db)
    .selectFrom('subscriptions')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findSubscriptionRow(db: Db, id: string): Promise<SubscriptionRow | null> {
  const row = await sqlOf(db)
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** False: it has another version by now, or there is none. */
export async function setSubscriptionState(
  db: Db,
  { id, version }: { readonly id: string; readonly version: number },
  change: { readonly state: 'on' | 'paused' | 'ended'; readonly nextAt: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('subscriptions')
    .set((eb) => ({
      state: change.state,
      next_at: toTimestampOrNull(change.nextAt),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notify(db, SUBSCRIPTIONS_CHANNEL);
  return numUpdatedRows > 0n;
}

/** False: there is none. */
export async function deleteSubscription(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await sqlOf(db)
    .deleteFrom('subscriptions')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await notify(db, SUBSCRIPTIONS_CHANNEL);
  return numDeletedRows > 0n;
}

/** Of those whose schedule is due, one that no other process has; null: none. */
export async function lockDueSubscription(tx: Db, now: number): Promise<SubscriptionRow | null> {
  const row = await sqlOf(tx)
    .selectFrom('subscriptions')
    .selectAll()
    .where('state', '=', 'on')
    .where('next_at', '<=', instant(now))
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

export async function saveNextRun(tx: Db, id: string, nextAt: number | null): Promise<void> {
  await sqlOf(tx)
    .updateTable('subscriptions')
    .set({ next_at: toTimestampOrNull(nextAt) })
    .where('id', '=', id)
    .execute();
}

/** When the next schedule is due; null: none has one. */
export async function nextScheduledAt(db: Db): Promise<number | null> {
  const row = await sqlOf(db)
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .where('state', '=', 'on')
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Subscriptions to alerts that are on, whose channel works. */
export async function alertSubscriptionRows(db: Db): Promise<readonly SubscriptionRow[]> {
  return sqlOf(db)
    .selectFrom('subscriptions as s')
    .innerJoin('channels as c', 'c.id', 's.channel_id')
    .selectAll('s')
    .where('s.kind', '=', 'alerts')
    .where('s.state', '=', 'on')
    .where('c.state', '=', 'on')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute();
}
