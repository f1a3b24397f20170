// Rows of others by which operators are alerted: counts and instants only.
import { sql } from 'kysely';
import { present } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf } from '../platform/db.ts';

export type SourceEvidence = {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly status: 'active' | 'paused' | 'gone';
  readonly kind: string;
  readonly intervalMinutes: number;
  readonly failures: number;
  readonly addedAt: number;
  readonly lastSuccessAt: number | null;
  readonly newestItemAt: number | null;
  /** 95th percentile of the gaps between its items in 60 days, ms; null: too few items. */
  readonly gapMs: number | null;
  /** Median lag of a day and of 14 days, ms; null: too few items. */
  readonly lagDayMs: number | null;
  readonly lagMs: number | null;
};

/** A percentile of fewer gaps has no meaning. */
const GAPS_MIN = 10;

export async function sourceEvidence(db: Db, now: number): Promise<readonly SourceEvidence[]> {
  const { rows } = await sql<SourceEvidence>`
    WITH recent AS (
      SELECT source_id, discovered_at, published_at, is_backfill,
        discovered_at - lag(discovered_at) OVER (PARTITION BY source_id ORDER BY discovered_at)
          AS gap
      FROM items WHERE discovered_at > ${instant(now - 60 * 86_400_000)}
    ), facts AS (
      SELECT source_id, max(discovered_at) AS newest,
        CASE WHEN count(gap) FILTER (WHERE NOT is_backfill) >= ${GAPS_MIN} THEN
          percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM gap)::float8 * 1000)
            FILTER (WHERE NOT is_backfill) END AS gap_ms,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY
          extract(epoch FROM discovered_at - published_at)::float8 * 1000) FILTER (
            WHERE NOT is_backfill AND discovered_at > ${instant(now - 86_400_000)}) AS day_ms,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY
          extract(epoch FROM discovered_at - published_at)::float8 * 1000) FILTER (
            WHERE NOT is_backfill AND discovered_at > ${instant(now - 14 * 86_400_000)}) AS lag_ms
      FROM recent GROUP BY source_id
    )
    SELECT s.id, s.name, coalesce(substring(s.url FROM '^[a-z]+://([^/:]+)'), '') AS host, s.status,
      s.kind, s.interval_minutes AS "intervalMinutes", coalesce(p.failures, 0) AS failures,
      s.created_at AS "addedAt", p.last_success_at AS "lastSuccessAt", f.newest AS "newestItemAt",
      f.gap_ms AS "gapMs", f.day_ms AS "lagDayMs", f.lag_ms AS "lagMs"
    FROM sources s LEFT JOIN reading_positions p ON p.source_id = s.id
    LEFT JOIN facts f ON f.source_id = s.id ORDER BY s.id`.execute(sqlOf(db));
  return rows;
}

export type InstallationEvidence = {
  /** Fetches of 30 minutes, and the failed ones of them. */
  readonly fetches: number;
  readonly failedFetches: number;
  readonly newestPublicAt: number | null;
  /** 95th percentile of the gaps between public items of 14 days, ms; null: too few. */
  readonly publicGapMs: number | null;
  readonly rankedAt: number | null;
  /** The oldest change that a serving node does not show; null: none. */
  readonly unseenSince: number | null;
  readonly brokenChannels: readonly { readonly id: string; readonly name: string }[];
  /** In the last hour. */
  readonly deadLetters: number;
  readonly ledgerCheckedAt: number | null;
  readonly isLedgerFine: boolean;
};

export async function installationEvidence(db: Db, now: number): Promise<InstallationEvidence> {
  const { rows } = await sql<InstallationEvidence>`
    WITH public AS (
      SELECT discovered_at, discovered_at - lag(discovered_at) OVER (ORDER BY discovered_at) AS gap
      FROM public_items WHERE timeline_at > ${instant(now - 14 * 86_400_000)}
    ), ledger AS (
      SELECT finished_at, results FROM ledger_proofs WHERE finished_at IS NOT NULL
      ORDER BY finished_at DESC, id DESC LIMIT 1
    )
    SELECT
      (SELECT count(*)::int FROM readings WHERE started_at > ${instant(now - 1_800_000)})
        AS fetches,
      (SELECT count(*)::int FROM readings WHERE started_at > ${instant(now - 1_800_000)}
        AND outcome IN ('failed', 'refused')) AS "failedFetches",
      (SELECT max(discovered_at) FROM public) AS "newestPublicAt",
      (SELECT CASE WHEN count(gap) >= ${GAPS_MIN} THEN percentile_cont(0.95) WITHIN GROUP
        (ORDER BY extract(epoch FROM gap)::float8 * 1000) END FROM public) AS "publicGapMs",
      (SELECT max(ranked_at) FROM rankings) AS "rankedAt",
      (SELECT min(l.at) FROM nodes n JOIN publication_log l ON l.seq > n.edition_seq
        WHERE 'radar' = ANY (n.parts) AND n.seen_at > ${instant(now - 60_000)}) AS "unseenSince",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY id)
        FROM channels WHERE state = 'broken'), '[]') AS "brokenChannels",
      (SELECT count(*)::int FROM deliveries WHERE state = 'failed'
        AND last_at > ${instant(now - 3_600_000)}) AS "deadLetters",
      (SELECT finished_at FROM ledger) AS "ledgerCheckedAt",
      NOT EXISTS (SELECT 1 FROM ledger, jsonb_array_elements(results) r
        WHERE (r->>'broken')::bigint > 0) AS "isLedgerFine"`.execute(sqlOf(db));
  return present(rows[0], 'one row always');
}
