// Only this file writes `subscriptions` (saved queries with a schedule and a channel) and
// `subscription_revision`.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import type { Schema } from '../schema/schema.ts';

/** The LISTEN channel of PostgreSQL that announces changes; the worker recomputes the schedules. */
export const SUBSCRIPTIONS_CHANNEL = 'radar_subscriptions';

/** A counter that increases when a subscription is added, removed, switched or edited. */
export async function readSubscriptionRevision(db: Db): Promise<number> {
  const row = await sqlOf(db)
    .selectFrom('subscription_revision')
    .select('revision')
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/** Every change of subscriptions calls this function in its transaction. */
export async function raiseSubscriptionRevision(tx: Db): Promise<void> {
  await sqlOf(tx)
    .insertInto('subscription_revision')
    .values({ id: 1, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        revision: (eb) => eb('subscription_revision.revision', '+', 1),
      }),
    )
    .execute();
  await notify(tx, SUBSCRIPTIONS_CHANNEL);
}

export type SubscriptionRow = Readonly<Selectable<Schema['subscriptions']>>;

export type SubscriptionValues = Omit<SubscriptionRow, 'id' | 'state' | 'version' | 'created_at'>;

export type InsertOutcome =
  | { readonly kind: 'inserted' }
  /** An equal subscription exists on the same channel. */
  | { readonly kind: 'known'; readonly id: string }
  /** `max` subscriptions exist already. */
  | { readonly kind: 'too_many' };

/** Runs in the caller's transaction. */
export async function insertSubscription(
  tx: Db,
  row: SubscriptionRow,
  max: number,
): Promise<InsertOutcome> {
  const { count } = await sqlOf(tx)
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) return { kind: 'too_many' };
  await lockQuery(tx, row);
  // An equal subscription can be deleted between the two statements. The insert is then repeated.
  while (!(await insertIfNew(tx, row))) {
    const existing = await findEqual(tx, row);
    if (existing !== null) return { kind: 'known', id: existing };
  }
  await raiseSubscriptionRevision(tx);
  return { kind: 'inserted' };
}

/** False: an equal subscription exists on the same channel. */
async function insertIfNew(tx: Db, row: SubscriptionRow): Promise<boolean> {
  const inserted = await sqlOf(tx)
    .insertInto('subscriptions')
    .values({
      id: row.id,
      state: row.state,
      ...columnsOf(row),
      version: row.version,
      created_at: toTimestamp(row.created_at),
    })
    .onConflict((conflict) => conflict.columns(['channel_id', 'hash']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

const columnsOf = (row: SubscriptionValues) => ({
  name: row.name,
  kind: row.kind,
  channel_id: row.channel_id,
  language: row.language,
  match: JSON.stringify(row.match),
  schedule: JSON.stringify(row.schedule),
  quiet: row.quiet === null ? null : JSON.stringify(row.quiet),
  updates: row.updates,
  hash: row.hash,
  next_at: toTimestampOrNull(row.next_at),
});

/** Only one transaction at a time can store a subscription with this query and channel. */
async function lockQuery(
  tx: Db,
  { channel_id, hash }: Pick<SubscriptionRow, 'channel_id' | 'hash'>,
): Promise<void> {
  const name = `subscription ${channel_id} ${hash}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(sqlOf(tx));
}

async function findEqual(
  db: Db,
  { channel_id, hash }: Pick<SubscriptionRow, 'channel_id' | 'hash'>,
): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('subscriptions')
    .select('id')
    .where('channel_id', '=', channel_id)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.id ?? null;
}

export type UpdateOutcome =
  | { readonly kind: 'saved' }
  /** An equal subscription exists on the same channel. */
  | { readonly kind: 'known'; readonly id: string }
  /** The subscription has another version, or it does not exist. */
  | { readonly kind: 'conflict' };

/** Runs in the caller's transaction. */
export async function updateSubscription(
  tx: Db,
  { id, version }: { readonly id: string; readonly version: number },
  values: SubscriptionValues,
): Promise<UpdateOutcome> {
  await lockQuery(tx, values);
  const existing = await findEqual(tx, values);
  if (existing !== null && existing !== id) return { kind: 'known', id: existing };
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('subscriptions')
    .set((eb) => ({ ...columnsOf(values), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { kind: 'conflict' };
  await raiseSubscriptionRevision(tx);
  return { kind: 'saved' };
}

/** Oldest first. */
export async function listSubscriptionRows(db: Db): Promise<readonly SubscriptionRow[]> {
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

/**
 * Locks the row for the caller's transaction. Null: another transaction has locked it, or it does
 * not exist.
 */
export async function lockSubscriptionRow(tx: Db, id: string): Promise<SubscriptionRow | null> {
  const row = await sqlOf(tx)
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Runs in the caller's transaction. False: the version has changed, or the subscription does not
 * exist.
 */
export async function setSubscriptionState(
  tx: Db,
  { id, version }: { readonly id: string; readonly version: number },
  change: { readonly state: 'on' | 'paused' | 'ended'; readonly nextAt: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('subscriptions')
    .set((eb) => ({
      state: change.state,
      next_at: toTimestampOrNull(change.nextAt),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await raiseSubscriptionRevision(tx);
  return numUpdatedRows > 0n;
}

/** Runs in the caller's transaction. False: the subscription does not exist. */
export async function deleteSubscription(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await sqlOf(tx)
    .deleteFrom('subscriptions')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await raiseSubscriptionRevision(tx);
  return numDeletedRows > 0n;
}

/** A subscription with a due schedule that no other process has locked; null: none. */
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

/** Ends subscriptions to stories without a new item since `before`. Returns their number. */
export async function endStorySubscriptions(tx: Db, before: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH RECURSIVE chain AS (
      SELECT u.id AS subscription, t.id, t.merged_into FROM subscriptions u
        JOIN stories t ON t.id = u.match->>'story' WHERE u.kind = 'story' AND u.state = 'on'
      UNION
      SELECT c.subscription, t.id, t.merged_into FROM chain c JOIN stories t ON t.id = c.merged_into
    )
    UPDATE subscriptions u SET state = 'ended', next_at = NULL, version = version + 1
    FROM chain c JOIN public_documents p ON p.kind = 'story' AND p.key = c.id
    WHERE c.subscription = u.id AND c.merged_into IS NULL
      AND p.sort_at < ${instant(before)}`.execute(sqlOf(tx));
  const count = Number(numAffectedRows ?? 0n);
  if (count > 0) await raiseSubscriptionRevision(tx);
  return count;
}

/** Time of the next due schedule; null: none. */
export async function findNextScheduledAt(db: Db): Promise<number | null> {
  const row = await sqlOf(db)
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.min('next_at').as('at'))
    .where('state', '=', 'on')
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Active subscriptions to alerts whose channel is on. */
export async function listAlertSubscriptionRows(db: Db): Promise<readonly SubscriptionRow[]> {
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
