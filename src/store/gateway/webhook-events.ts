// Only this file writes `webhook_events` and `webhook_deliveries`. An event has one delivery for
// each endpoint that was subscribed when the event happened. An event can also be mailed as an
// alert.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, inTransaction, sqlOf, toTimestamp } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';

/** The channel of notifications about new deliveries and changed endpoints. */
export const WEBHOOKS_CHANNEL = 'gateway_webhooks';

/** An endpoint with this many waiting deliveries receives no new events until the number falls. */
export const WAITING_MAX = 1_000;

export type EventType = 'job.finished' | 'balance.low' | 'budget.reached' | 'test';

export type NewEvent = {
  readonly id: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly type: EventType;
  /** An account receives one event per type and subject. */
  readonly subject: string;
  readonly body: string;
  readonly now: number;
  /** Delivers to this endpoint only; null: to every subscribed endpoint. */
  readonly endpointId?: string | null;
};

/**
 * Stores an event in the caller's transaction. Returns false when no endpoint is subscribed and no
 * alert is mailed, or when the event exists.
 */
export async function raiseEvent(tx: Db, event: NewEvent): Promise<boolean> {
  const { id, accountId, livemode, type, subject, body, endpointId = null } = event;
  const now = sql`${toTimestamp(event.now)}::timestamptz`;
  const { rows } = await sql`
    WITH wanted AS (
      SELECT id FROM webhook_endpoints
      WHERE account_id = ${accountId} AND livemode = ${livemode}
        AND CASE WHEN ${endpointId}::text IS NULL THEN state = 'on' AND ${type} = ANY (events)
          ELSE id = ${endpointId}::text END
    ), mailed AS (
      SELECT 1 FROM accounts
      WHERE id = ${accountId} AND alert_mails AND NOT awaits_verification
        AND ${type} IN ('balance.low', 'budget.reached')
    ), made AS (
      INSERT INTO webhook_events (id, account_id, livemode, type, subject, body, created_at, mail)
      SELECT ${id}, ${accountId}, ${livemode}, ${type}, ${subject}, ${body}, ${now},
        CASE WHEN EXISTS (SELECT 1 FROM mailed) THEN 'due' ELSE 'no' END
      WHERE EXISTS (SELECT 1 FROM wanted) OR EXISTS (SELECT 1 FROM mailed)
      ON CONFLICT DO NOTHING RETURNING id
    ), queued_deliveries AS (
      INSERT INTO webhook_deliveries (event_id, endpoint_id, state, tries, due_at)
      SELECT made.id, wanted.id, 'waiting', 0, ${now} FROM made, wanted
      WHERE (SELECT count(*) FROM webhook_deliveries d
        WHERE d.endpoint_id = wanted.id AND d.state = 'waiting') < ${WAITING_MAX}
    )
    SELECT id FROM made`.execute(sqlOf(tx));
  const isRaised = rows.length > 0;
  if (isRaised) await notify(tx, WEBHOOKS_CHANNEL);
  return isRaised;
}

/** An alert that is mailed to its account. */
export type MailedAlert = {
  readonly type: EventType;
  readonly body: string;
  readonly email: string;
  readonly language: 'en' | 'zh-CN' | null;
};

/**
 * Takes up to `max` due alerts, oldest first. The caller writes the mails in the same transaction.
 * `alerts` excludes alerts older than `since` and those of accounts that switched alert mails off.
 */
export async function claimAlertsToMail(
  tx: Db,
  { max, since }: { readonly max: number; readonly since: number },
): Promise<{ readonly claimedCount: number; readonly alerts: readonly MailedAlert[] }> {
  const { rows } = await sql<MailedAlert & { isWanted: boolean }>`
    WITH due AS (
      SELECT id FROM webhook_events WHERE mail = 'due'
      ORDER BY id LIMIT ${max} FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhook_events e SET mail = 'written' FROM due WHERE e.id = due.id
      RETURNING e.id, e.type, e.body, e.account_id, e.created_at
    )
    SELECT t.type, t.body, a.email, a.language,
      a.alert_mails AND t.created_at > ${toTimestamp(since)}::timestamptz AS "isWanted"
    FROM taken t JOIN accounts a ON a.id = t.account_id ORDER BY t.id`.execute(sqlOf(tx));
  return { claimedCount: rows.length, alerts: rows.filter(({ isWanted }) => isWanted) };
}

/** A delivery that a worker has claimed. */
export type Delivery = {
  readonly eventId: string;
  readonly endpointId: string;
  readonly type: EventType;
  readonly body: string;
  /** Earlier attempts. */
  readonly tries: number;
  readonly url: string;
  /** Encrypted. */
  readonly secret: Buffer;
  readonly oldSecret: Buffer | null;
  readonly oldSecretUntil: number | null;
};

/** A condition on delivery `d` of endpoint `p`. Only a test is sent to an endpoint that is off. */
const isSendable = sql`d.state = 'waiting' AND (p.state = 'on' OR EXISTS (
  SELECT 1 FROM webhook_events e WHERE e.id = d.event_id AND e.type = 'test'))`;

export type ClaimLimits = {
  readonly now: number;
  readonly until: number;
  /** Limit of all deliveries. */
  readonly max: number;
  /** Limit of concurrent claims per endpoint, over all processes. */
  readonly perEndpoint: number;
  readonly perAccount: number;
};

/**
 * Claims due deliveries, fairly by account and endpoint: the oldest delivery of every account comes
 * before the second delivery of any account. Processes claim one after the other: two claims at the
 * same moment would not count each other, and would exceed the limits.
 *
 * `due` repeats the conditions of `ready`. When a row has changed since the snapshot, PostgreSQL
 * evaluates only the query with the lock again. Without the repeated conditions, a delivery that
 * another process has just tried would be tried again at once.
 */
export async function claimDeliveries(
  db: Db,
  { now: at, until, max, perEndpoint, perAccount }: ClaimLimits,
): Promise<readonly Delivery[]> {
  const now = sql`${toTimestamp(at)}::timestamptz`;
  const claim = sql<Delivery>`
    WITH busy AS (
      SELECT d.endpoint_id, p.account_id FROM webhook_deliveries d
      JOIN webhook_endpoints p ON p.id = d.endpoint_id
      WHERE d.state = 'waiting' AND d.claimed_until > ${now}
    ), ready AS (
      SELECT d.event_id, d.endpoint_id, d.due_at, p.account_id,
        row_number() OVER (PARTITION BY d.endpoint_id ORDER BY d.due_at, d.event_id)
          + (SELECT count(*) FROM busy b WHERE b.endpoint_id = d.endpoint_id) AS of_endpoint
      FROM webhook_deliveries d
      JOIN webhook_endpoints p ON p.id = d.endpoint_id
      WHERE ${isSendable} AND d.due_at <= ${now}
        AND (d.claimed_until IS NULL OR d.claimed_until <= ${now})
    ), shared AS (
      SELECT event_id, endpoint_id, due_at,
        row_number() OVER (PARTITION BY account_id ORDER BY due_at, event_id)
          + (SELECT count(*) FROM busy b WHERE b.account_id = ready.account_id) AS of_account
      FROM ready WHERE of_endpoint <= ${perEndpoint}
    ), due AS (
      SELECT d.event_id, d.endpoint_id FROM webhook_deliveries d
      JOIN shared s ON s.event_id = d.event_id AND s.endpoint_id = d.endpoint_id
      WHERE s.of_account <= ${perAccount} AND d.state = 'waiting' AND d.due_at <= ${now}
        AND (d.claimed_until IS NULL OR d.claimed_until <= ${now})
      ORDER BY s.of_account, s.due_at LIMIT ${max} FOR UPDATE OF d SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_deliveries d SET claimed_until = ${toTimestamp(until)}::timestamptz
      FROM due WHERE d.event_id = due.event_id AND d.endpoint_id = due.endpoint_id
      RETURNING d.event_id, d.endpoint_id, d.tries
    )
    SELECT c.event_id AS "eventId", c.endpoint_id AS "endpointId", e.type, e.body, c.tries, p.url,
      p.secret, p.old_secret AS "oldSecret", p.old_secret_until AS "oldSecretUntil"
    FROM claimed c JOIN webhook_events e ON e.id = c.event_id
    JOIN webhook_endpoints p ON p.id = c.endpoint_id`;
  return inTransaction(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('webhook claims', 0))`.execute(
      sqlOf(tx),
    );
    return (await claim.execute(sqlOf(tx))).rows;
  });
}

export type DeliveryAttempt = {
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  readonly at: number;
  /** Time of the next attempt; null: there is none. */
  readonly dueAt: number | null;
  readonly status: number | null;
  readonly error: string | null;
};

export async function saveAttempt(
  db: Db,
  { eventId, endpointId }: Pick<Delivery, 'eventId' | 'endpointId'>,
  attempt: DeliveryAttempt,
): Promise<void> {
  await sqlOf(db)
    .updateTable('webhook_deliveries')
    .set({
      state: attempt.state,
      tries: attempt.tries,
      claimed_until: null,
      last_at: toTimestamp(attempt.at),
      last_status: attempt.status,
      last_error: attempt.error,
      ...(attempt.dueAt !== null && { due_at: toTimestamp(attempt.dueAt) }),
    })
    .where('event_id', '=', eventId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}

/**
 * Starts a delivery again from its first attempt. False: it does not exist, or still waits for an
 * attempt.
 */
export async function restartDelivery(
  db: Db,
  { eventId, endpointId }: Pick<Delivery, 'eventId' | 'endpointId'>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', tries: 0, due_at: toTimestamp(now) })
    .where('event_id', '=', eventId)
    .where('endpoint_id', '=', endpointId)
    .where('state', '<>', 'waiting')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notify(db, WEBHOOKS_CHANNEL);
  return numUpdatedRows > 0n;
}

export type DeliveryView = {
  readonly eventId: string;
  readonly type: EventType;
  readonly createdAt: number;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  readonly dueAt: number;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly body: string;
};

/** Deliveries of an endpoint, newest first. `before` is an event's id. */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly DeliveryView[]> {
  const rows = await sqlOf(db)
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select([
      ...(['d.event_id as eventId', 'e.created_at as createdAt', 'e.body', 'd.state'] as const),
      ...(['d.tries', 'd.due_at as dueAt', 'd.last_at as lastAt'] as const),
      ...(['d.last_status as lastStatus', 'd.last_error as lastError'] as const),
      sql<EventType>`e.type`.as('type'),
    ])
    .where('d.endpoint_id', '=', endpointId)
    .$if(before !== null, (query) => query.where('d.event_id', '<', before))
    .orderBy('d.event_id', 'desc')
    .limit(limit)
    .execute();
  return rows;
}

/** When the next delivery can be claimed; null: no delivery can be sent. */
export async function findNextDeliveryAt(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT min(greatest(d.due_at, d.claimed_until)) AS at
    FROM webhook_deliveries d JOIN webhook_endpoints p ON p.id = d.endpoint_id
    WHERE ${isSendable}`.execute(sqlOf(db));
  return rows[0]?.at ?? null;
}

/** Deletes events before `at`, delivered or not. */
export async function deleteOldEvents(db: Db, at: number): Promise<void> {
  await sqlOf(db).deleteFrom('webhook_events').where('created_at', '<', instant(at)).execute();
}

/** Deletes the events of a deleted account. */
export async function deleteEvents(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx).deleteFrom('webhook_events').where('account_id', '=', accountId).execute();
}
