// Reads the input of reports and of their public form. Other files write these tables.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf } from '../../platform/db.ts';

/** Time of the first public item; null: there is none. */
export async function findFirstItemAt(db: Db): Promise<number | null> {
  const row = await sqlOf(db)
    .selectFrom('public_items')
    .select(({ fn }) => fn.min('discovered_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Whether an item that was found in [from, to) still waits for enrichment or clustering. */
export async function isMaterialAwaited(db: Db, from: number, to: number): Promise<boolean> {
  const rows = sqlOf(db)
    .selectFrom('items as i')
    .select('i.id')
    .where('i.discovered_at', '>=', instant(from))
    .where('i.discovered_at', '<', instant(to))
    .limit(1);
  const unenriched = await rows.where('i.awaits_desk_since', 'is not', null).execute();
  if (unenriched.length > 0) return true;
  const unassigned = await rows.innerJoin('story_queue as q', 'q.item_id', 'i.id').execute();
  return unassigned.length > 0;
}

export type MaterialItem = Awaited<ReturnType<typeof listMaterialOfItems>>[number];

/** Public items with the timeline time in [from, to), oldest first. */
export async function listMaterialOfWindow(db: Db, from: number, to: number) {
  return selectMaterial(db)
    .where('p.timeline_at', '>=', instant(from))
    .where('p.timeline_at', '<', instant(to))
    .orderBy('p.timeline_at')
    .orderBy('p.id')
    .execute();
}

/** The public ones of these items, oldest first. */
export async function listMaterialOfItems(db: Db, ids: readonly string[]) {
  return selectMaterial(db)
    .where('p.id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('p.timeline_at')
    .orderBy('p.id')
    .execute();
}

const selectMaterial = (db: Db) =>
  sqlOf(db)
    .selectFrom('public_items as p')
    .innerJoin('items as i', 'i.id', 'p.id')
    .innerJoin('sources as s', 's.id', 'i.source_id')
    .innerJoin('judgements as j', 'j.item_id', 'p.id')
    .innerJoin('reading_group_members as g', 'g.item_id', 'p.id')
    .leftJoin('story_members as m', 'm.item_id', 'p.id')
    .select([
      'p.id',
      'p.title as shown_title',
      'p.summary as shown_summary',
      'j.title',
      'j.summary',
      'p.source_name',
      'p.original_url',
      'p.published_at',
      'p.discovered_at',
      'p.timeline_at',
      'p.category',
      'p.score',
      'p.selected',
      'p.language',
      's.owner',
      's.tier',
      's.participation',
      'g.group_id',
      'm.story_id',
    ]);

/** The current duplicate group and story of each item. */
export async function listEventsOfItems(db: Db, ids: readonly string[]) {
  return sqlOf(db)
    .selectFrom('reading_group_members as g')
    .leftJoin('story_members as m', 'm.item_id', 'g.item_id')
    .select(['g.item_id', 'g.group_id', 'm.story_id'])
    .where('g.item_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/** Stored claims of these items. */
export async function listClaimsOfItems(
  db: Db,
  ids: readonly string[],
): Promise<readonly { readonly item_id: string; readonly claims: unknown }[]> {
  return sqlOf(db)
    .selectFrom('item_claims')
    .select(['item_id', 'claims'])
    .where('item_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/** Operators' actions on these items, oldest first. */
export async function listActionsOnItems(db: Db, ids: readonly string[]) {
  return sqlOf(db)
    .selectFrom('item_actions')
    .select(['id', 'item_id', 'action', 'at', 'fields'])
    .where('item_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** Operators' current texts for these items. */
export async function listItemOverrides(db: Db, ids: readonly string[]) {
  return sqlOf(db)
    .selectFrom('item_overrides')
    .select(['item_id', 'title', 'summary'])
    .where('item_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/** The source's title of a public item, and the language of its text. */
export type SourceTitle = { readonly title: string; readonly language: string };

/** Titles by item id; items that are not public are absent. */
export async function listSourceTitles(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceTitle>> {
  const rows = await sqlOf(db)
    .selectFrom('public_items')
    .select(['id', 'title', 'original_title as originalTitle', 'language'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return new Map(
    rows.map(({ id, title, originalTitle, language }) => [
      id,
      { title: originalTitle ?? title, language },
    ]),
  );
}
