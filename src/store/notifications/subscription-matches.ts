// Only this file writes `subscription_matches`: subjects that match a subscription and are not sent
// yet. Rows contain ids, never texts.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf } from '../platform/db.ts';

export type NewMatch = {
  readonly subscriptionId: string;
  readonly subject: string;
  readonly itemId: string;
};

/** A waiting subject receives the additional item; a sent subject stays sent. */
export async function addMatches(tx: Db, matches: readonly NewMatch[], now: number): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    INSERT INTO subscription_matches AS m (subscription_id, subject, items, matched_at, state)
    SELECT s, j, array_agg(i), ${instant(now)}, 'waiting'
    FROM unnest(${matches.map((match) => match.subscriptionId)}::text[],
      ${matches.map((match) => match.subject)}::text[],
      ${matches.map((match) => match.itemId)}::text[])
      AS fresh (s, j, i) GROUP BY s, j
    ON CONFLICT (subscription_id, subject) DO UPDATE
      SET items = ARRAY(SELECT DISTINCT unnest(m.items || excluded.items))
      WHERE NOT m.items @> excluded.items`.execute(sqlOf(tx));
}

export type WaitingMatch = {
  readonly subscriptionId: string;
  readonly subject: string;
  readonly items: readonly string[];
  readonly matchedAt: number;
};

export type InstantSubscription = {
  readonly id: string;
  readonly quiet: unknown;
  /** The time of its oldest ready match; null: none of its matches is ready. */
  readonly readySince: number | null;
};

/**
 * Subscriptions without a schedule that have waiting matches, ordered by their oldest ready match.
 * A match is ready when the story engine has placed its items, and at the latest when the match is
 * older than `matchedBefore`.
 */
export async function listWaitingSubscriptions(
  db: Db,
  matchedBefore: number,
): Promise<readonly InstantSubscription[]> {
  const { rows } = await sql<InstantSubscription>`
    SELECT s.id, s.quiet, min(m.matched_at) FILTER (WHERE m.matched_at <= ${instant(matchedBefore)}
      OR NOT EXISTS (SELECT 1 FROM story_queue q WHERE q.item_id = ANY (m.items)))
      AS "readySince"
    FROM subscription_matches m JOIN subscriptions s ON s.id = m.subscription_id
    WHERE m.state = 'waiting' AND s.state = 'on' AND s.next_at IS NULL
    GROUP BY s.id ORDER BY "readySince" NULLS LAST, s.id`.execute(sqlOf(db));
  return rows;
}

/** Matches of one subscription, whose row the caller has locked; oldest first. */
export async function lockMatchesOf(
  tx: Db,
  subscriptionId: string,
): Promise<readonly WaitingMatch[]> {
  const { rows } = await sql<WaitingMatch>`
    SELECT subscription_id AS "subscriptionId", subject, items, matched_at AS "matchedAt"
    FROM subscription_matches WHERE subscription_id = ${subscriptionId} AND state = 'waiting'
    ORDER BY matched_at FOR UPDATE`.execute(sqlOf(tx));
  return rows;
}

export async function markMatchesDone(
  tx: Db,
  matches: readonly Pick<WaitingMatch, 'subscriptionId' | 'subject'>[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    UPDATE subscription_matches m SET state = 'done'
    FROM unnest(${matches.map((match) => match.subscriptionId)}::text[],
      ${matches.map((match) => match.subject)}::text[]) AS d (s, j)
    WHERE m.subscription_id = d.s AND m.subject = d.j`.execute(sqlOf(tx));
}

/** Deletes matches without public content. A restored item matches again. */
export async function deleteMatches(
  tx: Db,
  matches: readonly Pick<WaitingMatch, 'subscriptionId' | 'subject'>[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    DELETE FROM subscription_matches m
    USING unnest(${matches.map((match) => match.subscriptionId)}::text[],
      ${matches.map((match) => match.subject)}::text[]) AS d (s, j)
    WHERE m.subscription_id = d.s AND m.subject = d.j`.execute(sqlOf(tx));
}

/** Items that the story engine has not placed yet. */
export async function findUnassignedItems(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (itemIds.length === 0) return new Set();
  const rows = await sqlOf(db)
    .selectFrom('story_queue')
    .select('item_id')
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.item_id));
}

/** Deletes matches from before an instant, unless their story has a report since then. */
export async function deleteOldMatches(db: Db, before: number): Promise<void> {
  await sql`DELETE FROM subscription_matches m WHERE m.matched_at < ${instant(before)}
    AND NOT EXISTS (SELECT 1 FROM public_documents p WHERE p.kind = 'story'
      AND m.subject = 'story:' || p.key AND p.sort_at >= ${instant(before)})`.execute(sqlOf(db));
}
