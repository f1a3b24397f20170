// Counts the contributions of each source in a week, for the operators' weekly report.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf } from '../platform/db.ts';

export type SourceWeek = {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly selected: number;
  /** Stories with several reports, of which this source had the first. */
  readonly first: number;
  /** Median lag between publication and discovery, ms; null: no item. */
  readonly medianLagMs: number | null;
  readonly failures: number;
  /** Whether the source had an item, and a selected item, within 30 days. */
  readonly hasItems: boolean;
  readonly hasSelected: boolean;
};

const WEEK_MS = 7 * 86_400_000;
const MONTH_MS = 30 * 86_400_000;

/** Contributions in the seven days before `until`, of active sources, most items first. */
export async function listSourceWeeks(db: Db, until: number): Promise<readonly SourceWeek[]> {
  const from = instant(until - WEEK_MS);
  const to = instant(until);
  const { rows } = await sql<SourceWeek>`
    WITH recent AS (
      SELECT i.id, i.source_id, i.discovered_at, i.published_at, i.is_backfill,
        coalesce(p.selected, false) AS selected, i.discovered_at > ${from} AS is_week
      FROM items i LEFT JOIN public_items p ON p.id = i.id
      WHERE i.discovered_at > ${instant(until - MONTH_MS)} AND i.discovered_at <= ${to}
    ), firsts AS (
      SELECT DISTINCT ON (m.story_id) m.story_id, i.source_id
      FROM story_members m JOIN items i ON i.id = m.item_id
      WHERE m.story_id IN (SELECT story_id FROM story_members WHERE at > ${from} AND at <= ${to}
        GROUP BY story_id HAVING count(*) > 1)
      ORDER BY m.story_id, m.at, m.ordinal
    ), facts AS (
      SELECT source_id, count(*) FILTER (WHERE is_week AND NOT is_backfill)::int AS items,
        count(*) FILTER (WHERE is_week AND NOT is_backfill AND selected)::int AS selected,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY
          extract(epoch FROM discovered_at - published_at)::float8 * 1000)
          FILTER (WHERE is_week AND NOT is_backfill) AS lag,
        bool_or(selected) AS "hasSelected"
      FROM recent GROUP BY source_id
    )
    SELECT s.id, s.name, coalesce(f.items, 0) AS items, coalesce(f.selected, 0) AS selected,
      (SELECT count(*)::int FROM firsts WHERE source_id = s.id) AS first,
      f.lag AS "medianLagMs",
      (SELECT count(*)::int FROM readings r WHERE r.source_id = s.id AND r.started_at > ${from}
        AND r.started_at <= ${to} AND r.outcome IN ('failed', 'refused')) AS failures,
      f.source_id IS NOT NULL AS "hasItems", coalesce(f."hasSelected", false) AS "hasSelected"
    FROM sources s LEFT JOIN facts f ON f.source_id = s.id WHERE s.status = 'active'
    ORDER BY coalesce(f.items, 0) DESC, s.id`.execute(sqlOf(db));
  return rows;
}
