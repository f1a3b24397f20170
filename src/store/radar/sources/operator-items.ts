// Searches items for operators, including withdrawn items and items that are not public.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';

export type FoundItem = {
  readonly id: string;
  readonly title: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly discoveredAt: number;
  readonly category: string | null;
  readonly score: number | null;
  readonly isSelected: boolean;
  readonly isPublic: boolean;
  readonly isWithdrawn: boolean;
  readonly isCorrected: boolean;
};

export type ItemSearch = {
  /** In lower case. Each must occur in the id, address, titles, summaries or the source's name. */
  readonly terms: readonly string[];
  readonly state: 'any' | 'selected' | 'public' | 'withdrawn' | 'corrected' | 'hidden';
  /** The category after corrections; null: any. */
  readonly category: string | null;
  readonly sourceId: string | null;
  /** Id of the last item of the previous page; ids are in order of discovery. */
  readonly before: string | null;
  readonly limit: number;
};

/** Newest first. */
export async function findItems(db: Db, search: ItemSearch): Promise<readonly FoundItem[]> {
  const { terms, state, category, sourceId, before, limit } = search;
  const isCorrected = sql`(o.title IS NOT NULL OR o.summary IS NOT NULL OR o.category IS NOT NULL)`;
  const states = {
    any: sql`true`,
    selected: sql`p.selected`,
    public: sql`p.id IS NOT NULL`,
    withdrawn: sql`o.withdrawn_at IS NOT NULL`,
    corrected: sql`coalesce(${isCorrected}, false)`,
    hidden: sql`p.id IS NULL AND o.withdrawn_at IS NULL`,
  };
  const text = sql`lower(concat_ws(' ', i.id, i.url, i.title, j.title, j.summary, o.title,
    o.summary, s.name))`;
  const { rows } = await sql<FoundItem>`
    SELECT i.id, coalesce(o.title, j.title, i.title) AS title, s.id AS "sourceId",
      s.name AS "sourceName", i.discovered_at AS "discoveredAt",
      coalesce(o.category, j.category) AS category, j.score,
      coalesce(p.selected, false) AS "isSelected", p.id IS NOT NULL AS "isPublic",
      o.withdrawn_at IS NOT NULL AS "isWithdrawn", coalesce(${isCorrected}, false) AS "isCorrected"
    FROM items i
    JOIN sources s ON s.id = i.source_id
    LEFT JOIN judgements j ON j.item_id = i.id
    LEFT JOIN item_overrides o ON o.item_id = i.id
    LEFT JOIN public_items p ON p.id = i.id
    WHERE ${states[state]}
      AND (${category}::text IS NULL OR coalesce(o.category, j.category) = ${category}::text)
      AND (${sourceId}::text IS NULL OR i.source_id = ${sourceId}::text)
      AND (${before}::text IS NULL OR i.id < ${before}::text)
      AND (SELECT coalesce(bool_and(position(term IN ${text}) > 0), true)
        FROM unnest(${[...terms]}::text[]) AS term)
    ORDER BY i.id DESC
    LIMIT ${limit}`.execute(sqlOf(db));
  return rows;
}
