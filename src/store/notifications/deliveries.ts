// Only this file writes `notifications` and `deliveries` (their transmissions). A notification
// exists once per subscription, subject and reason.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import { notify } from '../platform/notifications.ts';
import type { DeliveryState } from '../schema/notifications.ts';
import type { Schema } from '../schema/schema.ts';

/** The LISTEN channel of PostgreSQL that announces new deliveries. */
export const DELIVERIES_CHANNEL = 'radar_deliveries';

export type NotificationRow = Readonly<Selectable<Schema['notifications']>>;

export type NewNotification = Omit<NotificationRow, 'stated'> & {
  readonly deliveryId: string;
  readonly channelId: string;
  /** Earliest time; absent: at once. */
  readonly dueAt?: number;
};

/** Runs in the caller's transaction. Returns the ids of new notifications. */
export async function createNotifications(
  tx: Db,
  newNotifications: readonly NewNotification[],
): Promise<readonly string[]> {
  if (newNotifications.length === 0) return [];
  const created = await sqlOf(tx)
    .insertInto('notifications')
    .values(
      newNotifications.map((entry) => ({
        id: entry.id,
        subscription_id: entry.subscription_id,
        subject: entry.subject,
        reason: entry.reason,
        subjects: entry.subjects,
        items: entry.items,
        contradictions: entry.contradictions,
        stated: '{}',
        created_at: toTimestamp(entry.created_at),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['subscription_id', 'subject', 'reason']).doNothing(),
    )
    .returning('id')
    .execute();
  const ids = new Set(created.map(({ id }) => id));
  const inserted = newNotifications.filter(({ id }) => ids.has(id));
  if (inserted.length === 0) return [];
  await sqlOf(tx)
    .insertInto('deliveries')
    .values(
      inserted.map((entry) => ({
        id: entry.deliveryId,
        notification_id: entry.id,
        channel_id: entry.channelId,
        state: 'waiting',
        is_unsure: false,
        tries: 0,
        created_at: toTimestamp(entry.created_at),
        due_at: toTimestamp(entry.dueAt ?? entry.created_at),
        claimed_until: null,
        last_at: null,
        last_status: null,
        last_error: null,
        remote_id: null,
      })),
    )
    .execute();
  await notify(tx, DELIVERIES_CHANNEL);
  return [...ids];
}

export type ClaimedDelivery = {
  readonly id: string;
  readonly notificationId: string;
  readonly channelId: string;
  /** The delivery was `sending` when its claim expired, so the outcome is unknown. */
  readonly wasSending: boolean;
  /** The outcome of this or an earlier attempt is unknown. */
  readonly isUnsure: boolean;
  readonly tries: number;
  readonly createdAt: number;
  readonly subscriptionId: string;
  readonly subject: string;
  readonly reason: string;
  readonly subjects: readonly string[];
  readonly items: readonly string[];
};

/** Claims the oldest due deliveries of one channel, whose row the caller has locked. */
export async function claimChannelDeliveries(
  tx: Db,
  channelId: string,
  { now, until, max }: { readonly now: number; readonly until: number; readonly max: number },
): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    WITH due AS (
      SELECT id, state FROM deliveries
      WHERE channel_id = ${channelId} AND state IN ('waiting', 'sending')
        AND due_at <= ${instant(now)}
        AND (claimed_until IS NULL OR claimed_until <= ${instant(now)})
      ORDER BY due_at, id LIMIT ${max} FOR UPDATE
    ), taken AS (
      UPDATE deliveries d SET claimed_until = ${instant(until)}, state = 'waiting',
        is_unsure = d.is_unsure OR due.state = 'sending'
      FROM due WHERE d.id = due.id
      RETURNING d.id, d.notification_id, d.channel_id, d.tries, d.created_at, d.is_unsure,
        due.state = 'sending' AS was_sending
    )
    SELECT t.id, t.notification_id AS "notificationId", t.channel_id AS "channelId",
      t.was_sending AS "wasSending", t.is_unsure AS "isUnsure",
      t.tries, t.created_at AS "createdAt",
      n.subscription_id AS "subscriptionId", n.subject, n.reason, n.subjects, n.items
    FROM taken t JOIN notifications n ON n.id = t.notification_id
    ORDER BY t.created_at, t.id`.execute(sqlOf(tx));
  return rows;
}

export type RenderedDelivery = {
  readonly id: string;
  readonly notificationId: string;
  /** By subject: the number of contradictions in the content. */
  readonly stated: Readonly<Record<string, number>>;
};

/**
 * The requests are sent next, so the outcome is unknown if the process ends from now on. The
 * announced contradictions are stored as well, so that no update repeats them.
 */
export async function markSending(db: Db, deliveries: readonly RenderedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    WITH sent AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
        AS s(id text, "notificationId" text, stated jsonb)
    ), stated AS (
      UPDATE notifications n SET stated = n.stated || sent.stated FROM sent
      WHERE n.id = sent."notificationId" AND sent.stated <> '{}'
    )
    UPDATE deliveries d SET state = 'sending' FROM sent WHERE d.id = sent.id`.execute(sqlOf(db));
}

export type DeliveryOutcome = {
  readonly state: DeliveryState;
  readonly tries: number;
  readonly at: number;
  /** Time of the next attempt; null: final. */
  readonly dueAt: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly isUnsure: boolean;
  readonly remoteId: string | null;
};

export async function saveOutcome(db: Db, id: string, outcome: DeliveryOutcome): Promise<void> {
  await sqlOf(db)
    .updateTable('deliveries')
    .set({
      state: outcome.state,
      tries: outcome.tries,
      claimed_until: null,
      last_at: toTimestamp(outcome.at),
      last_status: outcome.status,
      last_error: outcome.error,
      is_unsure: sql<boolean>`is_unsure OR ${outcome.isUnsure}`,
      ...(outcome.remoteId !== null && { remote_id: outcome.remoteId }),
      ...(outcome.dueAt !== null && { due_at: toTimestamp(outcome.dueAt) }),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Expires deliveries that waited too long: since before `workingBefore` in channels that are on, or
 * since before `brokenBefore` in all others. Returns their number.
 */
export async function expireDeliveries(
  db: Db,
  {
    workingBefore,
    brokenBefore,
    now,
  }: { readonly workingBefore: number; readonly brokenBefore: number; readonly now: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE deliveries d SET state = 'expired', last_at = ${instant(now)}, claimed_until = NULL
    FROM channels c
    WHERE c.id = d.channel_id AND d.state IN ('waiting', 'sending')
      AND (d.claimed_until IS NULL OR d.claimed_until <= ${instant(now)})
      AND greatest(d.created_at, c.resumed_at) < CASE c.state WHEN 'on'
        THEN ${instant(workingBefore)} ELSE ${instant(brokenBefore)} END
    `.execute(sqlOf(db));
  return Number(numAffectedRows ?? 0n);
}

/** Time of the next delivery; null: none waits. */
export async function findNextDeliveryAt(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT min(greatest(d.due_at, d.claimed_until, c.next_at)) AS at
    FROM deliveries d JOIN channels c ON c.id = d.channel_id
    WHERE d.state IN ('waiting', 'sending') AND c.state = 'on'`.execute(sqlOf(db));
  return rows[0]?.at ?? null;
}

export type QueuedDelivery = {
  readonly id: string;
  readonly subscriptionId: string;
  readonly subjects: readonly string[];
  readonly items: readonly string[];
};

/** A channel's deliveries of new stories that were never attempted, oldest first. */
export async function listQueuedStories(
  tx: Db,
  channelId: string,
): Promise<readonly QueuedDelivery[]> {
  const { rows } = await sql<QueuedDelivery>`
    SELECT d.id, n.subscription_id AS "subscriptionId", n.subjects, n.items
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE d.channel_id = ${channelId} AND d.state = 'waiting' AND d.tries = 0
      AND d.claimed_until IS NULL AND n.reason = 'new'
    ORDER BY d.created_at, d.id FOR UPDATE OF d SKIP LOCKED`.execute(sqlOf(tx));
  return rows;
}

export async function countWaiting(db: Db, channelId: string): Promise<number> {
  const row = await sqlOf(db)
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function markReplaced(tx: Db, ids: readonly string[], now: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('deliveries')
    .set({ state: 'replaced', last_at: toTimestamp(now) })
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/**
 * Starts a delivery again from its first attempt. False: it does not exist or is already waiting.
 */
export async function sendDeliveryAgain(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('deliveries')
    .set({
      state: 'waiting',
      is_unsure: false,
      tries: 0,
      due_at: toTimestamp(now),
      created_at: toTimestamp(now),
      claimed_until: null,
    })
    .where('id', '=', id)
    .where('state', 'not in', ['waiting', 'sending'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notify(db, DELIVERIES_CHANNEL);
  return numUpdatedRows > 0n;
}

/** Cancels open deliveries after a restore, because they may have been sent after the backup. */
export async function cancelOpenDeliveries(tx: Db, now: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('deliveries')
    .set({
      state: 'void',
      last_at: toTimestamp(now),
      last_error: 'The database was restored.',
      claimed_until: null,
    })
    .where('state', 'in', ['waiting', 'sending'])
    .execute();
}

/** Cancels a delivery. False: no waiting delivery has this id. */
export async function cancelDelivery(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('deliveries')
    .set({ state: 'dropped', last_at: toTimestampOrNull(now), claimed_until: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Restores void notifications of a subject that has public content again. */
export async function restoreVoidNotifications(
  tx: Db,
  {
    subscriptionId,
    subject,
    reasons,
  }: {
    readonly subscriptionId: string;
    readonly subject: string;
    /** `announced`: notifications that announce the subject, alone or in a digest. */
    readonly reasons: 'announced' | 'withdrawn';
  },
  now: number,
): Promise<void> {
  const reasonCondition =
    reasons === 'withdrawn'
      ? sql<boolean>`n.reason = 'withdrawn'`
      : sql<boolean>`(n.reason = 'new' OR n.reason LIKE 'digest:%')`;
  const { numAffectedRows } = await sql`
    UPDATE deliveries d SET state = 'waiting', tries = 0, due_at = ${instant(now)}
    FROM notifications n
    WHERE n.id = d.notification_id AND d.state = 'void' AND n.subscription_id = ${subscriptionId}
      AND n.subjects @> ARRAY[${subject}]::text[] AND ${reasonCondition}`.execute(sqlOf(tx));
  if ((numAffectedRows ?? 0n) > 0n) await notify(tx, DELIVERIES_CHANNEL);
}

export type SentSubject = {
  readonly subscriptionId: string;
  readonly channelId: string;
  readonly subject: string;
  readonly sentAt: number;
  /** The number of contradictions that the recipient has received. */
  readonly contradictions: number;
  /** Due time of the last notification of a contradiction; null: none. */
  readonly contradictionAt: number | null;
  /** Stored quiet hours of the subscription. */
  readonly quiet: unknown;
  /** Items of the recipient's notifications. */
  readonly items: readonly string[];
};

/**
 * Recipients of a subject, alone or in a digest, whose subscription includes updates. A delivery
 * that is in progress or may have arrived counts as received.
 */
export async function listDeliveredSubjects(
  db: Db,
  subjects: readonly string[],
): Promise<readonly SentSubject[]> {
  if (subjects.length === 0) return [];
  const isFirst = sql<boolean>`(n.reason = 'new' OR n.reason LIKE 'digest:%'
    OR n.reason LIKE 'report:%')`;
  const { rows } = await sql<SentSubject>`
    SELECT n.subscription_id AS "subscriptionId", d.channel_id AS "channelId", s.subject, u.quiet,
      min(coalesce(d.last_at, d.created_at)) FILTER (WHERE ${isFirst}) AS "sentAt",
      max(greatest(n.contradictions, (n.stated->>s.subject)::int)) AS contradictions,
      max(d.due_at) FILTER (WHERE n.reason LIKE 'contradiction:%') AS "contradictionAt",
      ARRAY(SELECT DISTINCT i FROM notifications x CROSS JOIN LATERAL unnest(x.items) i
        WHERE x.subscription_id = n.subscription_id AND x.subjects @> ARRAY[s.subject]) AS items
    FROM notifications n JOIN deliveries d ON d.notification_id = n.id
    JOIN subscriptions u ON u.id = n.subscription_id
    CROSS JOIN LATERAL unnest(n.subjects) s(subject)
    WHERE n.subjects && ${[...subjects]}::text[] AND s.subject = ANY (${[...subjects]}::text[])
      AND d.state IN ('delivered', 'waiting', 'sending') AND u.updates AND u.state = 'on'
    GROUP BY n.subscription_id, d.channel_id, s.subject, u.quiet
    HAVING bool_or((d.state IN ('delivered', 'sending') OR d.is_unsure) AND ${isFirst})
    `.execute(sqlOf(db));
  return rows;
}

/** The items that a notification of the subscription already contained. */
export async function listNotifiedItems(
  db: Db,
  subscriptionId: string,
  items: readonly string[],
): Promise<ReadonlySet<string>> {
  if (items.length === 0) return new Set();
  const { rows } = await sql<{ item: string }>`
    SELECT DISTINCT i.item FROM notifications n CROSS JOIN LATERAL unnest(n.items) i(item)
    WHERE n.subscription_id = ${subscriptionId} AND n.items && ${[...items]}::text[]
      AND i.item = ANY (${[...items]}::text[])`.execute(sqlOf(db));
  return new Set(rows.map(({ item }) => item));
}

/** The service's id of the message that announced a subject. */
export async function findRemoteId(
  db: Db,
  subscriptionId: string,
  subject: string,
): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('notifications as n')
    .innerJoin('deliveries as d', 'd.notification_id', 'n.id')
    .select('d.remote_id')
    .where('n.subscription_id', '=', subscriptionId)
    .where('n.subject', '=', subject)
    .where('n.reason', '=', 'new')
    .where('d.state', '=', 'delivered')
    .executeTakeFirst();
  return row?.remote_id ?? null;
}

export type ListedDelivery = {
  readonly id: string;
  readonly state: DeliveryState;
  readonly isUnsure: boolean;
  readonly tries: number;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly reason: string;
  readonly subject: string;
  readonly subjects: readonly string[];
  readonly items: readonly string[];
  readonly subscriptionId: string;
  readonly subscriptionName: string;
  readonly channelId: string;
  readonly channelName: string;
};

export type DeliveryFilter = {
  readonly state?: DeliveryState | null;
  readonly channelId?: string | null;
  readonly subscriptionId?: string | null;
  readonly id?: string | null;
  readonly limit: number;
  readonly skip?: number;
};

/** Newest first. */
export async function listDeliveryRows(
  db: Db,
  filter: DeliveryFilter,
): Promise<readonly ListedDelivery[]> {
  const { state = null, channelId = null, subscriptionId = null, id = null } = filter;
  const { rows } = await sql<ListedDelivery>`
    SELECT d.id, d.state, d.is_unsure AS "isUnsure", d.tries, d.created_at AS "createdAt",
      d.due_at AS "dueAt", d.last_at AS "lastAt", d.last_status AS "lastStatus",
      d.last_error AS "lastError", n.reason, n.subject, n.subjects, n.items,
      s.id AS "subscriptionId", s.name AS "subscriptionName", c.id AS "channelId",
      c.name AS "channelName"
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    JOIN subscriptions s ON s.id = n.subscription_id JOIN channels c ON c.id = d.channel_id
    WHERE (${state}::text IS NULL OR d.state = ${state})
      AND (${channelId}::text IS NULL OR d.channel_id = ${channelId})
      AND (${subscriptionId}::text IS NULL OR s.id = ${subscriptionId})
      AND (${id}::text IS NULL OR d.id = ${id})
    ORDER BY d.created_at DESC, d.id DESC
    LIMIT ${filter.limit} OFFSET ${filter.skip ?? 0}`.execute(sqlOf(db));
  return rows;
}

/** Deletes notifications from before an instant, unless their story has a report since then. */
export async function deleteOldNotifications(db: Db, before: number): Promise<void> {
  await sql`DELETE FROM notifications n WHERE n.created_at < ${instant(before)}
    AND NOT EXISTS (SELECT 1 FROM public_documents p WHERE p.kind = 'story'
      AND n.subject = 'story:' || p.key AND p.sort_at >= ${instant(before)})`.execute(sqlOf(db));
}
