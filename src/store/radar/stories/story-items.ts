// Reads the fields of items for clustering, such as texts, language and duplicate group. Also reads
// the titles of items for operators.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';

/** Longer texts are cut: later text adds nothing to an item's subject, but takes time to load. */
const CHARACTERS = 8_000;

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

export type StoryItemRow = {
  readonly id: string;
  readonly group_id: string;
  readonly canonical_url: string;
  readonly title: string;
  /** The first characters of each text. HTML, except for the article. */
  readonly summary: string;
  readonly content: string;
  readonly article: string | null;
  readonly language: string;
  readonly source_id: string;
  readonly published_at: number | null;
  readonly discovered_at: number;
};

/** Enriched items by id. */
export async function readStoryItemRows(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoryItemRow>> {
  if (ids.length === 0) return new Map();
  const prefixOf = (column: 'summary' | 'content' | 'article') =>
    sql<string>`left(${sql.ref(`i.${column}`)}, ${CHARACTERS})`.as(column);
  const rows = await sqlOf(db)
    .selectFrom('items as i')
    .innerJoin('judgements as j', 'j.item_id', 'i.id')
    .innerJoin('reading_group_members as g', 'g.item_id', 'i.id')
    .select(['i.id', 'i.source_id', 'g.group_id', 'i.canonical_url', 'i.title', 'j.language'])
    .select(['i.published_at', 'i.discovered_at'])
    .select([prefixOf('summary'), prefixOf('content'), prefixOf('article')])
    .where('i.id', '=', anyOf(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** By item: the members of its duplicate group that have a story, earliest first. */
export async function readAssignedDuplicates(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (itemIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('reading_group_members as own')
    .innerJoin('reading_group_members as same', 'same.group_id', 'own.group_id')
    .innerJoin('story_members as m', 'm.item_id', 'same.item_id')
    .select(['own.item_id as of', 'm.item_id as id'])
    .where('own.item_id', '=', anyOf(itemIds))
    .orderBy('m.ordinal')
    .execute();
  const byItem = Map.groupBy(rows, (row) => row.of);
  return new Map([...byItem].map(([item, itemRows]) => [item, itemRows.map(({ id }) => id)]));
}

/** The fields by which an operator distinguishes members. */
export type MemberTitle = {
  readonly id: string;
  readonly title: string;
  readonly source_name: string;
  readonly is_withdrawn: boolean;
};

export async function readMemberTitles(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemberTitle>> {
  if (ids.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('items as i')
    .innerJoin('sources as s', 's.id', 'i.source_id')
    .leftJoin('item_overrides as o', 'o.item_id', 'i.id')
    .select(['i.id', 'i.title', 's.name as source_name', 'o.withdrawn_at'])
    .where('i.id', '=', anyOf(ids))
    .execute();
  return new Map(
    rows.map(({ withdrawn_at, ...row }) => [
      row.id,
      { ...row, is_withdrawn: withdrawn_at !== null },
    ]),
  );
}
