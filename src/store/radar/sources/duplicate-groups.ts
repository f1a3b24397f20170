// Only this file writes `reading_groups`, `reading_group_members` and `duplicate_keys`: duplicate
// groups and the keys that find them.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { excludedValues, instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type DuplicateGroupRow = Readonly<Selectable<Schema['reading_groups']>>;

export async function findGroupOfItem(db: Db, itemId: string): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('reading_group_members')
    .select('group_id')
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row?.group_id ?? null;
}

/** The duplicate group of each item; items without a group are absent. */
export async function readGroupsByItem(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (itemIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('reading_group_members')
    .select(['item_id', 'group_id'])
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return new Map(rows.map(({ item_id, group_id }) => [item_id, group_id]));
}

/** The fields of an item that can make it a duplicate of another. */
export type DuplicateKeys = {
  readonly itemId: string;
  readonly sourceId: string;
  /** Publication time, otherwise discovery time; epoch milliseconds. */
  readonly at: number;
  readonly canonicalUrl: string;
  /** Null: the title is too short. */
  readonly titleKey: string | null;
  /** Decimal numbers of 64 bits, in the order of the bands; empty: the text is too short. */
  readonly bands: readonly string[];
  readonly signature: Uint8Array | null;
};

export type GroupedItem = DuplicateKeys & {
  readonly groupId: string;
  readonly firstAppearedAt: number;
};

export type DuplicateSearch = {
  readonly urls: readonly string[];
  readonly titleKeys: readonly string[];
  readonly bands: readonly string[];
  /** The earliest time for a match by title or text; epoch milliseconds. */
  readonly since: number;
};

/** Grouped items with one of these addresses, titles or bands. */
export async function findGroupedItems(
  tx: Db,
  { urls, titleKeys, bands, since }: DuplicateSearch,
): Promise<readonly GroupedItem[]> {
  const { rows } = await sql<GroupedItem>`
    SELECT k.item_id AS "itemId", i.source_id AS "sourceId", k.at,
      i.canonical_url AS "canonicalUrl", k.title_key AS "titleKey",
      coalesce(k.bands::text[], '{}') AS bands, k.signature, g.id AS "groupId",
      g.first_appeared_at AS "firstAppearedAt"
    FROM (
      SELECT id FROM items WHERE canonical_url = ANY (${[...urls]}::text[])
      UNION SELECT item_id FROM duplicate_keys
        WHERE title_key = ANY (${[...titleKeys]}::text[]) AND at >= ${instant(since)}
      UNION SELECT item_id FROM duplicate_keys
        WHERE bands && ${[...bands]}::bigint[] AND at >= ${instant(since)}
    ) AS found
    JOIN duplicate_keys k ON k.item_id = found.id
    JOIN items i ON i.id = k.item_id
    JOIN reading_group_members m ON m.item_id = k.item_id
    JOIN reading_groups g ON g.id = m.group_id`.execute(sqlOf(tx));
  return rows;
}

export async function insertGroups(tx: Db, groups: readonly DuplicateGroupRow[]): Promise<void> {
  if (groups.length === 0) return;
  await sqlOf(tx)
    .insertInto('reading_groups')
    .values(
      groups.map((group) => ({
        ...group,
        first_appeared_at: toTimestamp(group.first_appeared_at),
      })),
    )
    .execute();
}

/** `groups`: the group of each item. */
export async function joinGroups(tx: Db, groups: ReadonlyMap<string, string>): Promise<void> {
  if (groups.size === 0) return;
  await sqlOf(tx)
    .insertInto('reading_group_members')
    .values(Array.from(groups, ([item_id, group_id]) => ({ item_id, group_id })))
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet(excludedValues(['group_id'])))
    .execute();
}

export async function saveDuplicateKeys(tx: Db, items: readonly DuplicateKeys[]): Promise<void> {
  if (items.length === 0) return;
  await sqlOf(tx)
    .insertInto('duplicate_keys')
    .values(
      items.map(({ itemId, at, titleKey, bands, signature }) => ({
        item_id: itemId,
        at: toTimestamp(at),
        title_key: titleKey,
        bands: bands.length === 0 ? null : sql<bigint[]>`${[...bands]}::bigint[]`,
        signature: signature === null ? null : Buffer.from(signature),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('item_id')
        .doUpdateSet(excludedValues(['at', 'title_key', 'bands', 'signature'])),
    )
    .execute();
}

/** Stores the selected item of each group; null: no item is selected. */
export async function setRepresentatives(
  tx: Db,
  representatives: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (representatives.size === 0) return;
  await sql`
    UPDATE reading_groups g SET representative_id = n.representative_id
    FROM unnest(${[...representatives.keys()]}::text[], ${[...representatives.values()]}::text[])
      AS n (id, representative_id)
    WHERE g.id = n.id`.execute(sqlOf(tx));
}

/** The members of the groups, with the fields from which public items are made. */
export async function listGroupMembers(tx: Db, groupIds: readonly string[]) {
  if (groupIds.length === 0) return [];
  return sqlOf(tx)
    .selectFrom('reading_group_members as m')
    .innerJoin('reading_groups as g', 'g.id', 'm.group_id')
    .innerJoin('items as i', 'i.id', 'm.item_id')
    .innerJoin('sources as s', 's.id', 'i.source_id')
    .innerJoin('judgements as j', 'j.item_id', 'i.id')
    .leftJoin('item_overrides as o', 'o.item_id', 'i.id')
    .leftJoin('story_members as t', 't.item_id', 'i.id')
    .select([
      'm.group_id',
      'g.first_appeared_at',
      'g.representative_id',
      'i.id',
      'i.url',
      'i.published_at',
      'i.discovered_at',
      'i.is_backfill',
      's.name as source_name',
      's.tier',
      's.participation',
      'j.title',
      'j.original_title',
      'j.summary',
      'j.category',
      'j.score',
      'j.is_worthy',
      'j.reason',
      'j.summary_by',
      'j.language',
      'i.title as source_title',
      'j.withholds_title',
      't.story_id',
      'o.withdrawn_at',
      'o.title as corrected_title',
      'o.summary as corrected_summary',
      'o.category as corrected_category',
    ])
    .where('m.group_id', 'in', [...groupIds])
    .orderBy('m.group_id')
    .orderBy('i.id')
    .execute();
}
