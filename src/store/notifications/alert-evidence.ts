// Reads the evidence for alerts from the tables of all modules.
import { sql } from 'kysely';
import { requirePresent } from '../../kernel/errors/assert.ts';
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
  /** 95th percentile of the gaps between the source's items in 60 days, ms; null: too few items. */
  readonly gapMs: number | null;
  /** Median time from publication to discovery, of a day and of 14 days, ms; null: no items. */
  readonly lagDayMs: number | null;
  readonly lagMs: number | null;
};

/** A percentile of fewer gaps has no meaning. */
const GAPS_MIN = 10;

export async function listSourceEvidence(db: Db, now: number): Promise<readonly SourceEvidence[]> {
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
  /** Number of fetches that began in the last 30 minutes, and the number of failed ones. */
  readonly fetches: number;
  readonly failedFetches: number;
  readonly newestPublicAt: number | null;
  /** 95th percentile of the gaps between public items of 14 days, ms; null: too few. */
  readonly publicGapMs: number | null;
  readonly rankedAt: number | null;
  /** The oldest change that a serving node does not show; null: none. */
  readonly unseenSince: number | null;
  readonly brokenChannels: readonly { readonly id: string; readonly name: string }[];
  /** Deliveries that failed permanently in the last hour. */
  readonly deadLetters: number;
  readonly ledgerCheckedAt: number | null;
  readonly isLedgerIntact: boolean;
  /** Null: no worker has run. */
  readonly workerTickAt: number | null;
  /** Time of the last successful backup; null: none. */
  readonly backupAt: number | null;
  /** Error of the last backup; null: it succeeded, or there is none. */
  readonly backupError: string | null;
  /** When a node found that the database was restored to an earlier state; null: never. */
  readonly earlierDatabaseAt: number | null;
  /** Upstreams of the relay that refuse the operator's account. */
  readonly refusingUpstreams: readonly string[];
  /**
   * Models that were sold below cost in the last hour, with the percentage. Either the price is
   * below the imported cost, or the calls of the hour cost more than the customers paid.
   */
  readonly pricesBelowCost: readonly { readonly model: string; readonly percent: number }[];
  /** The share of an hour's calls without correct usage, by upstream. */
  readonly upstreamUsage: readonly { readonly upstream: string; readonly share: number }[];
};

/** A share of fewer calls has no meaning. */
const CALLS_MIN = 100;
/** An older report of an upstream's health is not current. */
const REPORT_MS = 60_000;
const HOUR_MS = 3_600_000;

export async function readInstallationEvidence(db: Db, now: number): Promise<InstallationEvidence> {
  const { rows } = await sql<InstallationEvidence>`
    WITH public AS (
      SELECT discovered_at, discovered_at - lag(discovered_at) OVER (ORDER BY discovered_at) AS gap
      FROM public_items WHERE timeline_at > ${instant(now - 14 * 86_400_000)}
    ), last_backup AS (
      SELECT finished_at, error FROM backups ORDER BY finished_at DESC, id DESC LIMIT 1
    ), in_force AS (
      SELECT version FROM price_versions
      WHERE withdrawn_at IS NULL AND model_version = version
        AND starts_at <= ${instant(now - HOUR_MS)}
      ORDER BY starts_at DESC, version DESC LIMIT 1
    ), costs AS (
      SELECT DISTINCT ON (r->>'model', r->>'class', (r->>'from')::bigint, r->>'variant')
        r->>'model' AS model, r->>'class' AS class, (r->>'from')::bigint AS from_tokens,
        coalesce(r->>'variant', '') AS variant,
        (r->>'microFen')::numeric * 1000000 / (1000000 + p.margin_ppm) AS cost
      FROM price_proposals p, jsonb_array_elements(p.rows) r
      WHERE p.made_at <= ${instant(now - HOUR_MS)}
      ORDER BY r->>'model', r->>'class', (r->>'from')::bigint, r->>'variant', p.made_at DESC
    ), below_cost AS (
      SELECT m.model, max(round(100 * (1 - m.micro_fen / c.cost)))::int AS percent
      FROM in_force f JOIN model_prices m ON m.version = f.version
      JOIN costs c ON c.model = m.model AND c.class = m.class AND c.from_tokens = m.from_tokens
        AND c.variant = m.variant
      WHERE c.cost > 0 AND m.micro_fen < floor(c.cost) GROUP BY m.model
      UNION ALL
      SELECT model, round(100 * (1 - sum(charge) / sum(cost)))::int
      FROM relay_usage
      WHERE started_at > ${instant(now - HOUR_MS)} AND livemode
        AND charge IS NOT NULL AND cost IS NOT NULL
      GROUP BY model HAVING sum(charge) < sum(cost)
    ), usage AS (
      SELECT upstream, (count(*) FILTER (WHERE counted IN ('estimated', 'contradictory')))::float8
        / count(*) AS share
      FROM relay_usage
      WHERE started_at > ${instant(now - HOUR_MS)} AND ended = 'completed' AND livemode
      GROUP BY upstream HAVING count(*) >= ${CALLS_MIN}
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
        WHERE (r->>'broken')::bigint > 0) AS "isLedgerIntact",
      (SELECT at FROM worker_ticks) AS "workerTickAt",
      (SELECT max(finished_at) FROM backups WHERE error IS NULL) AS "backupAt",
      (SELECT error FROM last_backup) AS "backupError",
      (SELECT epoch_began_at FROM publication_head WHERE epoch_reason = 'earlier_state')
        AS "earlierDatabaseAt",
      coalesce((SELECT jsonb_agg(DISTINCT provider ORDER BY provider) FROM provider_health
        WHERE is_account_refused AND at > ${instant(now - REPORT_MS)}), '[]')
        AS "refusingUpstreams",
      coalesce((SELECT jsonb_agg(jsonb_build_object('model', model, 'percent', percent)
        ORDER BY model) FROM (SELECT model, max(percent) AS percent FROM below_cost
        GROUP BY model) b), '[]') AS "pricesBelowCost",
      coalesce((SELECT jsonb_agg(jsonb_build_object('upstream', upstream, 'share', share)
        ORDER BY upstream) FROM usage), '[]') AS "upstreamUsage"`.execute(sqlOf(db));
  return requirePresent(rows[0], 'the row of the query');
}
