// Only this file writes `rankings`: every completed ranking with its heat values, which are never
// published.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';

/** A row of a computed ranking. */
export type StoredTopic = {
  readonly storyId: string;
  /** Ids of its reports. */
  readonly itemIds: readonly string[];
  readonly heat: number;
  readonly trend: 'new' | 'rising' | 'falling' | 'steady' | null;
};

export type StoredRanking = {
  readonly id: string;
  readonly rankedAt: number;
  /** Hottest first. */
  readonly topics: readonly StoredTopic[];
};

export async function findNewestRanking(db: Db): Promise<StoredRanking | null> {
  const row = await sqlOf(db)
    .selectFrom('rankings')
    .select(['id', 'ranked_at', 'topics'])
    .orderBy('ranked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return { id: row.id, rankedAt: row.ranked_at, topics: row.topics as readonly StoredTopic[] };
}

/** Also deletes rankings older than `keptFrom`, and later rankings of a clock that was ahead. */
export async function saveRanking(tx: Db, ranking: StoredRanking, keptFrom: number): Promise<void> {
  const { id, rankedAt, topics } = ranking;
  await sqlOf(tx)
    .deleteFrom('rankings')
    .where((where) =>
      where.or([
        where('ranked_at', '>', instant(rankedAt)),
        where('ranked_at', '<', instant(keptFrom)),
      ]),
    )
    .execute();
  await sqlOf(tx)
    .insertInto('rankings')
    .values({ id, ranked_at: toTimestamp(rankedAt), topics: JSON.stringify(topics) })
    .execute();
}

/**
 * Ids of sources that were fetched throughout a span. Requirements: a successful fetch before or at
 * its start, another within it, no failure, and no long gap. A gap is long when it exceeds both
 * half the span and five intervals of the source (the schedule can stretch an interval fourfold).
 * Without these requirements, a radar that was switched off would treat old items as news. Push
 * sources count from their creation.
 */
export async function listObservedSources(
  db: Db,
  from: number,
  to: number,
): Promise<readonly string[]> {
  const halfSpanSeconds = (to - from) / 2_000;
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM sources s
    WHERE s.status = 'active' AND s.created_at <= ${instant(from)} AND (
      s.kind = 'push' OR (
        SELECT count(*) > 1 AND bool_and(r.outcome IN ('read', 'unchanged', 'moved'))
          AND max(r.next_at - r.started_at) <= make_interval(
            secs => greatest(${halfSpanSeconds}, s.interval_minutes * 300))
        FROM (
          SELECT w.outcome, w.started_at, coalesce(
            lead(w.started_at) OVER (ORDER BY w.started_at, w.id), ${instant(to)}) AS next_at
          FROM (
            (SELECT r.id, r.outcome, r.started_at FROM readings r
              WHERE r.source_id = s.id AND r.started_at <= ${instant(from)}
              ORDER BY r.started_at DESC, r.id DESC LIMIT 1)
            UNION ALL
            SELECT r.id, r.outcome, r.started_at FROM readings r
              WHERE r.source_id = s.id
                AND r.started_at > ${instant(from)} AND r.started_at <= ${instant(to)}
          ) w
        ) r
        HAVING min(r.started_at) <= ${instant(from)}))
    ORDER BY s.id`.execute(sqlOf(db));
  return rows.map((row) => row.id);
}

/**
 * The time by which every active source was fetched once. Null while a first fetch, an enrichment
 * or a clustering is pending, and null without a source to fetch.
 */
export async function findFirstFetchesEndedAt(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ended_at: number | null }>`
    SELECT max(f.first_at) AS ended_at
    FROM sources s
    LEFT JOIN LATERAL (
      SELECT min(r.started_at) AS first_at FROM readings r WHERE r.source_id = s.id
    ) f ON true
    WHERE s.status = 'active' AND s.kind <> 'push'
    HAVING bool_and(f.first_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM items WHERE awaits_desk_since IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM story_queue)`.execute(sqlOf(db));
  return rows[0]?.ended_at ?? null;
}
