// Duplicate groups and their keys: the only writer of `reading_groups`, `reading_group_members` and
// `reading_group_keys`.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type GroupKey = Readonly<Selectable<Schema['reading_group_keys']>>;
export type ReadingGroup = Readonly<Selectable<Schema['reading_groups']>>;

export async function groupOfItem(db: Db, itemId: string): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('reading_group_members')
    .select('group_id')
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row?.group_id ?? null;
}

export async function groupsOfItems(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  if (itemIds.length === 0) return [];
  const rows = await sqlOf(db)
    .selectFrom('reading_group_members')
    .select('group_id')
    .distinct()
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return rows.map((row) => row.group_id);
}

export type GroupMatch = {
  readonly groupId: string;
  readonly itemId: string;
  readonly sourceId: string;
  readonly kind: GroupKey['kind'];
  readonly at: number;
  readonly signature: Buffer | null;
};

/** Other grouped items that share one of the keys; oldest group first. */
export async function findGroups(
  tx: Db,
  itemId: string,
  keys: readonly Pick<GroupKey, 'kind' | 'key'>[],
  since: number,
): Promise<readonly GroupMatch[]> {
  if (keys.length === 0) return [];
  const rows = await sqlOf(tx)
    .selectFrom('reading_group_keys as k')
    .innerJoin('reading_group_members as m', 'm.item_id', 'k.item_id')
    .innerJoin('reading_groups as g', 'g.id', 'm.group_id')
    .innerJoin('items as i', 'i.id', 'k.item_id')
    .select([
      'g.id as groupId',
      'k.item_id as itemId',
      'i.source_id as sourceId',
      'k.kind',
      'k.at',
      'k.signature',
    ])
    .where(
      sql<boolean>`(k.kind, k.key) IN (
        SELECT * FROM unnest(${keys.map((k) => k.kind)}::text[], ${keys.map((k) => k.key)}::text[])
      )`,
    )
    .where('k.item_id', '!=', itemId)
    .where((where) => where.or([where('k.kind', '=', 'url'), where('k.at', '>=', instant(since))]))
    .orderBy('g.first_appeared_at')
    .orderBy('g.id')
    .orderBy('k.item_id')
    .execute();
  return rows;
}

export async function insertGroup(tx: Db, group: ReadingGroup): Promise<void> {
  await sqlOf(tx)
    .insertInto('reading_groups')
    .values({ ...group, first_appeared_at: toTimestamp(group.first_appeared_at) })
    .execute();
}

export async function joinGroup(tx: Db, itemId: string, groupId: string): Promise<void> {
  await sqlOf(tx)
    .insertInto('reading_group_members')
    .values({ item_id: itemId, group_id: groupId })
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet({ group_id: groupId }))
    .execute();
}

export async function saveGroupKeys(
  tx: Db,
  itemId: string,
  keys: readonly GroupKey[],
): Promise<void> {
  await sqlOf(tx).deleteFrom('reading_group_keys').where('item_id', '=', itemId).execute();
  if (keys.length === 0) return;
  await sqlOf(tx)
    .insertInto('reading_group_keys')
    .values(keys.map((key) => ({ ...key, at: toTimestamp(key.at) })))
    .execute();
}

export async function setRepresentative(
  tx: Db,
  groupId: string,
  representativeId: string | null,
): Promise<void> {
  await sqlOf(tx)
    .updateTable('reading_groups')
    .set({ representative_id: representativeId })
    .where('id', '=', groupId)
    .execute();
}

/** The fields of one member that its projection needs. */
export type GroupMember = Awaited<ReturnType<typeof groupMembers>>[number];

export async function groupMembers(tx: Db, groupIds: readonly string[]) {
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
