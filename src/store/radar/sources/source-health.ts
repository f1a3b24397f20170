// Reads the recent health of sources from fetch states and times of items. The result has only
// counts and times.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { SourceKind, SourceStatus } from '../../schema/radar.ts';

export type SourceHealthRow = {
  readonly id: string;
  readonly name: string;
  readonly kind: SourceKind;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly language: string;
  readonly participation: 'editorial' | 'signal' | 'isolated';
  readonly status: SourceStatus;
  readonly intervalMinutes: number;
  /** Time of the last successful fetch; null: none, or a push source. */
  readonly lastSuccessAt: number | null;
  /** Number of consecutive failed fetches. */
  readonly failures: number;
  /** Null: due at once, or a push source. */
  readonly nextReadAt: number | null;
  readonly newestItemAt: number | null;
  /** Lag from publication to discovery of live items since `since`, ms; null: unknown. */
  readonly medianLagMs: number | null;
  readonly p90LagMs: number | null;
};

/** Sources that were not removed, by name. */
export async function listSourceHealthSince(
  db: Db,
  since: number,
): Promise<readonly SourceHealthRow[]> {
  const { rows } = await sql<SourceHealthRow>`
    SELECT s.id, s.name, s.kind, s.tier, s.language, s.participation, s.status,
      s.interval_minutes AS "intervalMinutes",
      p.last_success_at AS "lastSuccessAt", coalesce(p.failures, 0) AS failures,
      p.next_read_at AS "nextReadAt",
      n.newest AS "newestItemAt", l.lags[1] AS "medianLagMs", l.lags[2] AS "p90LagMs"
    FROM sources s
    LEFT JOIN reading_positions p ON p.source_id = s.id
    LEFT JOIN (
      SELECT source_id, max(least(published_at, discovered_at)) AS newest FROM items
      GROUP BY source_id) n ON n.source_id = s.id
    LEFT JOIN (
      SELECT source_id, percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY
        greatest(0, extract(epoch FROM discovered_at - published_at)::float8 * 1000)) AS lags
      FROM items
      WHERE discovered_at >= ${toTimestamp(since)} AND NOT is_backfill AND published_at IS NOT NULL
      GROUP BY source_id) l ON l.source_id = s.id
    ORDER BY lower(s.name), s.id`.execute(sqlOf(db));
  return rows;
}

export type SourceDay = {
  readonly sourceId: string;
  /** The number of the 24-hour span since `since`, from 0. */
  readonly day: number;
  readonly count: number;
};

/** Number of items by source and span of 24 hours. A span without items has no row. */
export async function countItemsPerDay(db: Db, since: number): Promise<readonly SourceDay[]> {
  const { rows } = await sql<SourceDay>`
    SELECT source_id AS "sourceId", count(*)::int AS count,
      floor(extract(epoch FROM discovered_at - ${toTimestamp(since)}) / 86400)::int AS day
    FROM items
    WHERE discovered_at >= ${toTimestamp(since)}
    GROUP BY source_id, day`.execute(sqlOf(db));
  return rows;
}
