// Searches stories for operators. A merged story is not listed; its survivor is.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';

export type ListedStory = {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly reportCount: number;
  readonly sourceCount: number;
  readonly latestAt: number;
  readonly isClosed: boolean;
};

export type StorySearch = {
  /** In lower case. Each term must occur in the story's id, its title or a title of its reports. */
  readonly terms: readonly string[];
  readonly minReports: number;
  readonly limit: number;
  readonly skip: number;
};

/** The latest report first. `title`: the public title, otherwise the title of the first report. */
export async function findStories(
  db: Db,
  { terms, minReports, limit, skip }: StorySearch,
): Promise<readonly ListedStory[]> {
  const { rows } = await sql<ListedStory>`
    SELECT t.id, t.version, t.is_closed AS "isClosed",
      coalesce(e.title, d.digest->>'title',
        (array_agg(coalesce(o.title, j.title, i.title) ORDER BY m.ordinal))[1]) AS title,
      count(*)::int AS "reportCount", count(DISTINCT s.owner)::int AS "sourceCount",
      max(m.at) AS "latestAt"
    FROM stories t
    JOIN story_members m ON m.story_id = t.id
    JOIN items i ON i.id = m.item_id
    JOIN sources s ON s.id = i.source_id
    LEFT JOIN judgements j ON j.item_id = i.id
    LEFT JOIN item_overrides o ON o.item_id = i.id
    LEFT JOIN story_edits e ON e.story_id = t.id
    LEFT JOIN story_digests d ON d.story_id = t.id
    WHERE t.merged_into IS NULL
    GROUP BY t.id, e.title, d.digest
    HAVING count(*) >= ${minReports}
      AND (SELECT coalesce(bool_and(position(term IN lower(concat_ws(' ', t.id,
          e.title, d.digest->>'title',
          string_agg(concat_ws(' ', i.title, j.title, o.title), ' ')))) > 0), true)
        FROM unnest(${[...terms]}::text[]) AS term)
    ORDER BY max(m.at) DESC, t.id DESC
    LIMIT ${limit} OFFSET ${skip}`.execute(sqlOf(db));
  return rows;
}

/**
 * Public titles, also of merged stories. A story without a digest has the title of its first
 * report, current or former. Unknown ids are absent.
 */
export async function readStoryTitles(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ readonly id: string; readonly title: string }>`
    SELECT t.id, coalesce(e.title, d.digest->>'title', i.title) AS title
    FROM stories t
    LEFT JOIN story_edits e ON e.story_id = t.id
    LEFT JOIN story_digests d ON d.story_id = t.id
    CROSS JOIN LATERAL (
      SELECT coalesce(
        (SELECT item_id FROM story_members WHERE story_id = t.id ORDER BY ordinal LIMIT 1),
        (SELECT item_id FROM story_assignments WHERE story_id = t.id ORDER BY seq LIMIT 1)
      ) AS item_id
    ) AS first
    JOIN items i ON i.id = first.item_id
    WHERE t.id = any(${[...ids]}::text[])`.execute(sqlOf(db));
  return new Map(rows.map(({ id, title }) => [id, title]));
}
