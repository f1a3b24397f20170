// Only this file writes `readings`: one row per fetch of a source.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type FetchRow = Readonly<Selectable<Schema['readings']>>;

export async function insertFetch(db: Db, row: FetchRow): Promise<void> {
  await sqlOf(db)
    .insertInto('readings')
    .values({
      ...row,
      started_at: toTimestamp(row.started_at),
      notes: row.notes === null ? null : JSON.stringify(row.notes),
    })
    .execute();
}

export async function listLatestFetchRows(
  db: Db,
  sourceId: string,
  limit: number,
): Promise<readonly FetchRow[]> {
  return sqlOf(db)
    .selectFrom('readings')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Fetches of all sources, newest first. */
export async function listRecentFetches(db: Db, limit: number): Promise<readonly FetchRow[]> {
  return sqlOf(db)
    .selectFrom('readings')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export type FetchDay = {
  readonly sourceId: string;
  /** The number of the 24-hour span since `since`, from 0. */
  readonly day: number;
  readonly fetches: number;
  readonly failures: number;
  readonly created: number;
};

/** Counts fetches by source and span of 24 hours. `sourceId` null: fetches of all sources. */
export async function listFetchDays(
  db: Db,
  since: number,
  sourceId: string | null,
): Promise<readonly FetchDay[]> {
  const { rows } = await sql<FetchDay>`
    SELECT source_id AS "sourceId", count(*)::int AS fetches, sum(created)::int AS created,
      (count(*) FILTER (WHERE outcome IN ('failed', 'refused', 'gone')))::int AS failures,
      floor(extract(epoch FROM started_at - ${toTimestamp(since)}) / 86400)::int AS day
    FROM readings
    WHERE started_at >= ${toTimestamp(since)}
      AND (${sourceId}::text IS NULL OR source_id = ${sourceId}::text)
    GROUP BY source_id, day`.execute(sqlOf(db));
  return rows;
}

export type SourceFetchHealth = {
  readonly sourceId: string;
  readonly items: number;
  /** Items of the source's first import that still wait for enrichment. */
  readonly importing: number;
  /**
   * Instant of the newest item's publication; its discovery if that is earlier or the publication
   * is unknown. Null without items.
   */
  readonly newestItemAt: number | null;
  /** Median of discovery minus publication over the last fifty live items, ms; null if unknown. */
  readonly medianLagMs: number | null;
  readonly lastOutcome: FetchRow['outcome'] | null;
  readonly lastMessage: string | null;
  readonly lastNotes: unknown;
};

/** Number of items, lag, and the last outcome of each source. */
export async function listSourceHealth(db: Db): Promise<readonly SourceFetchHealth[]> {
  const { rows } = await sql<SourceFetchHealth>`
    SELECT s.id AS "sourceId",
      (SELECT count(*)::int FROM items WHERE source_id = s.id) AS items,
      (SELECT count(*)::int FROM items
        WHERE source_id = s.id AND awaits_desk_since IS NOT NULL AND is_backfill) AS importing,
      (SELECT max(least(published_at, discovered_at)) FROM items WHERE source_id = s.id)
        AS "newestItemAt",
      (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY lag) FROM (
        SELECT greatest(0, extract(epoch FROM discovered_at - published_at)::float8 * 1000) AS lag
        FROM items
        WHERE source_id = s.id AND NOT is_backfill AND published_at IS NOT NULL
        ORDER BY discovered_at DESC LIMIT 50) AS lately) AS "medianLagMs",
      r.outcome AS "lastOutcome", r.message AS "lastMessage", r.notes AS "lastNotes"
    FROM sources s
    LEFT JOIN LATERAL (
      SELECT outcome, message, notes FROM readings WHERE source_id = s.id
      ORDER BY started_at DESC, id DESC LIMIT 1) r ON true
    ORDER BY s.id`.execute(sqlOf(db));
  return rows;
}
