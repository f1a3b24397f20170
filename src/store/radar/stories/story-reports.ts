// Reads the input of a story's public document: its public reports with their sources, its merges,
// and its neighbours.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf } from '../../platform/db.ts';

/** A public report of a story; instants are epoch milliseconds. */
export type StoryReportRow = Awaited<ReturnType<typeof listStoryReports>>[number];

const reportColumns = [
  'p.id',
  'p.title',
  'p.summary',
  'p.source_name as sourceName',
  'p.original_url as originalUrl',
  'p.published_at as publishedAt',
  'p.published_sort_at as at',
  'p.language',
  'p.selected',
  'p.score',
  'i.revision',
  's.id as sourceId',
  's.owner',
  's.tier',
  's.participation',
] as const;

const reportsOf = (db: Db) =>
  sqlOf(db)
    .selectFrom('story_members as m')
    .innerJoin('public_items as p', 'p.id', 'm.item_id')
    .innerJoin('items as i', 'i.id', 'm.item_id')
    .innerJoin('sources as s', 's.id', 'i.source_id')
    .leftJoin('story_developments as d', 'd.item_id', 'm.item_id')
    // The development's first report; null: the report is not grouped.
    .select(['m.story_id as storyId', 'd.development'])
    .select(reportColumns);

/** The given items that are public, wait for clustering and have no extracted claims. */
export async function listReportsWithoutClaims(db: Db, itemIds: readonly string[], limit: number) {
  return sqlOf(db)
    .selectFrom('story_queue as q')
    .innerJoin('public_items as p', 'p.id', 'q.item_id')
    .innerJoin('items as i', 'i.id', 'q.item_id')
    .innerJoin('sources as s', 's.id', 'i.source_id')
    .leftJoin('item_claims as c', 'c.item_id', 'q.item_id')
    .select(reportColumns)
    .where('c.item_id', 'is', null)
    .where('q.item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .orderBy('q.item_id')
    .limit(limit)
    .execute();
}

/** The public reports of these stories, the newest first. */
export async function listStoryReports(db: Db, storyIds: readonly string[]) {
  if (storyIds.length === 0) return [];
  return reportsOf(db)
    .where('m.story_id', '=', sql<string>`any(${[...storyIds]}::text[])`)
    .orderBy('p.published_sort_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute();
}

/** The given items that are public and in a story, newest first. */
export async function listReportsOfItems(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly StoryReportRow[]> {
  if (itemIds.length === 0) return [];
  return reportsOf(db)
    .where('m.item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .orderBy('p.published_sort_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute();
}

/** Public reports of all stories since an instant, newest first. */
export async function listReportsSince(db: Db, since: number): Promise<readonly StoryReportRow[]> {
  return reportsOf(db)
    .where('p.published_sort_at', '>=', instant(since))
    .orderBy('p.published_sort_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute();
}

export async function listStoriesOfItems(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  if (itemIds.length === 0) return [];
  const rows = await sqlOf(db)
    .selectFrom('story_members')
    .select('story_id')
    .distinct()
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return rows.map((row) => row.story_id);
}

export type StoryLifecycle = {
  readonly id: string;
  readonly foundedAt: number;
  /** The end of the merge chain; null: the story is not merged. */
  readonly survivorId: string | null;
};

export async function listStoryLifecycles(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly StoryLifecycle[]> {
  if (storyIds.length === 0) return [];
  const { rows } = await sql<StoryLifecycle>`
    WITH RECURSIVE chain (id, at_id, next_id) AS (
      SELECT id, id, merged_into FROM stories WHERE id = any(${[...storyIds]}::text[])
      UNION ALL
      SELECT c.id, s.id, s.merged_into FROM chain c JOIN stories s ON s.id = c.next_id
    )
    SELECT s.id, s.founded_at AS "foundedAt", nullif(c.at_id, c.id) AS "survivorId"
    FROM chain c JOIN stories s ON s.id = c.id
    WHERE c.next_id IS NULL`.execute(sqlOf(db));
  return rows;
}

export type StoryNeighbour = {
  readonly storyId: string;
  /** The linked story, or the end of its merge chain. */
  readonly otherId: string;
  readonly relation: 'storyline' | 'related';
};

/**
 * Neighbours of existing stories, the most recently founded first. A link counts from both ends. A
 * link of a merged story belongs to the end of its merge chain.
 */
export async function listStoryNeighbours(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly StoryNeighbour[]> {
  if (storyIds.length === 0) return [];
  const { rows } = await sql<StoryNeighbour>`
    WITH RECURSIVE family (id, member_id) AS (
      SELECT id, id FROM stories WHERE id = any(${[...storyIds]}::text[])
      UNION ALL
      SELECT f.id, s.id FROM family f JOIN stories s ON s.merged_into = f.member_id
    ), near AS (
      SELECT f.id, l.other_id, l.relation
      FROM family f JOIN story_links l ON l.story_id = f.member_id
      UNION ALL
      SELECT f.id, l.story_id, l.relation
      FROM family f JOIN story_links l ON l.other_id = f.member_id
    ), chain (from_id, at_id, next_id) AS (
      SELECT id, id, merged_into FROM stories WHERE id IN (SELECT other_id FROM near)
      UNION ALL
      SELECT c.from_id, s.id, s.merged_into FROM chain c JOIN stories s ON s.id = c.next_id
    )
    SELECT n.id AS "storyId", c.at_id AS "otherId",
      CASE WHEN bool_or(n.relation = 'storyline') THEN 'storyline' ELSE 'related' END AS relation
    FROM near n
    JOIN chain c ON c.from_id = n.other_id AND c.next_id IS NULL
    JOIN stories o ON o.id = c.at_id
    WHERE c.at_id <> n.id
    GROUP BY n.id, c.at_id, o.founded_at
    ORDER BY n.id, o.founded_at DESC, c.at_id DESC`.execute(sqlOf(db));
  return rows;
}

/** Stories that have any of the given stories as a neighbour. */
export async function listLinkedStories(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly string[]> {
  const neighbours = await listStoryNeighbours(db, storyIds);
  return [...new Set(neighbours.map((neighbour) => neighbour.otherId))].sort();
}

/** The given stories that have a public report. */
export async function listPublicStories(
  db: Db,
  storyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (storyIds.length === 0) return new Set();
  const rows = await sqlOf(db)
    .selectFrom('story_members as m')
    .innerJoin('public_items as p', 'p.id', 'm.item_id')
    .select('m.story_id')
    .distinct()
    .where('m.story_id', '=', sql<string>`any(${[...storyIds]}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.story_id));
}

export type LastAssignment = {
  readonly itemId: string;
  readonly reason: string;
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
};

/** The last log entry of each of these items. */
export async function listLastAssignments(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly LastAssignment[]> {
  if (itemIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('story_assignments')
    .distinctOn('item_id')
    .select(['item_id as itemId', 'reason', 'score', 'features'])
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .orderBy('item_id')
    .orderBy('seq', 'desc')
    .execute();
}

export type ReportText = {
  readonly id: string;
  /** Plain text when the article was fetched; otherwise HTML from the source. */
  readonly article: string | null;
  readonly content: string;
  readonly summary: string;
};

/** The news is at the beginning of a text, so the rest of a long text is not needed. */
const TEXT_MAX = 24_000;

/** The first `TEXT_MAX` characters of each text of these items. */
export async function listReportTexts(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly ReportText[]> {
  if (itemIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('items')
    .select([
      'id',
      sql<string | null>`left(article, ${TEXT_MAX})`.as('article'),
      sql<string>`left(content, ${TEXT_MAX})`.as('content'),
      sql<string>`left(summary, ${TEXT_MAX})`.as('summary'),
    ])
    .where('id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
}
