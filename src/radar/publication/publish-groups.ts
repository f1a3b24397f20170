// Only this file publishes and withdraws items. It projects whole duplicate groups again, and
// writes only the changed items and the documents that cite them.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { listDocumentsCiting } from '../../store/radar/publication/public-documents.ts';
import {
  deletePublicItems,
  listPublicItemRows,
  type PublicItemRow,
  upsertPublicItems,
} from '../../store/radar/publication/public-items.ts';
import {
  advancePublication,
  lockPublication,
} from '../../store/radar/publication/publication-head.ts';
import {
  appendSelectedChanges,
  listCurrentSelectedStates,
} from '../../store/radar/publication/selected-changes.ts';
import {
  listGroupMembers,
  setRepresentatives,
} from '../../store/radar/sources/duplicate-groups.ts';
import { listStoriesOfItems } from '../../store/radar/stories/story-reports.ts';
import { type DocumentRef, publishDocuments } from './documents/publish-documents.ts';
import type { PublicItem } from './item.ts';
import { projectGroup } from './project-group.ts';
import { fromPublicRow, toPublicRow } from './public-row.ts';
import { toSelectedItem } from './selected-item.ts';

/**
 * Runs in the caller's transaction. Documents that cite a changed item are published with it, so a
 * withdrawal removes the item from all documents. `changedItemIds`: items whose history a document
 * may show; their documents are published too. Returns the publication's sequence number.
 */
export async function publishGroups(
  world: World,
  tx: Db,
  groupIds: readonly string[],
  changedItemIds: readonly string[] = [],
): Promise<number> {
  const changed = await publishItems(world, tx, groupIds);
  return publishDocuments(
    world,
    tx,
    await documentsOf(tx, [...new Set([...changed, ...changedItemIds])]),
  );
}

/** Documents that cite these items, and the documents of the stories that contain the items. */
export async function documentsOf(
  tx: Db,
  itemIds: readonly string[],
): Promise<readonly DocumentRef[]> {
  const stories = await listStoriesOfItems(tx, itemIds);
  const citing = await listDocumentsCiting(tx, itemIds);
  return [...citing, ...stories.map((key): DocumentRef => ({ kind: 'story', key }))];
}

/**
 * Publishes items without the documents that cite them, which the caller must publish. Returns the
 * ids of the changed items.
 */
export async function publishItems(
  world: World,
  tx: Db,
  groupIds: readonly string[],
): Promise<readonly string[]> {
  const head = await lockPublication(world, tx);
  const members = await listGroupMembers(tx, groupIds);
  const items = new Map<string, PublicItem>();
  const representatives = new Map<string, string | null>();
  for (const [groupId, group] of Map.groupBy(members, (member) => member.group_id)) {
    const { items: projected, representativeId } = projectGroup(group);
    if (group[0]?.representative_id !== representativeId) {
      representatives.set(groupId, representativeId);
    }
    for (const item of projected) items.set(item.id, item);
  }
  await setRepresentatives(tx, representatives);
  const ids = members.map((member) => member.id);
  const currentItems = new Map((await listPublicItemRows(tx, ids)).map((row) => [row.id, row]));
  const changed = ids.filter((id) => isChanged(currentItems.get(id), items.get(id)));
  const numbered = changed.map((key, index) => ({
    kind: 'item' as const,
    key,
    seq: head.seq + index + 1,
  }));
  const now = world.clock.now();
  await upsertPublicItems(
    tx,
    changed.flatMap((id) => {
      const item = items.get(id);
      return item ? [toPublicRow(item)] : [];
    }),
  );
  await deletePublicItems(
    tx,
    changed.filter((id) => !items.has(id)),
  );
  await appendSelectedChanges(tx, await listSelectedChanges(tx, numbered, items), now);
  await advancePublication(tx, numbered, now);
  return changed;
}

function isChanged(row: PublicItemRow | undefined, item: PublicItem | undefined): boolean {
  if (!row || !item) return Boolean(row) !== Boolean(item);
  return JSON.stringify(fromPublicRow(row)) !== JSON.stringify(fromPublicRow(toPublicRow(item)));
}

type NumberedRow = { readonly key: string; readonly seq: number };

async function listSelectedChanges(
  tx: Db,
  changed: readonly NumberedRow[],
  items: ReadonlyMap<string, PublicItem>,
) {
  const ids = changed.map((change) => change.key);
  const currentItems = new Map(
    (await listCurrentSelectedStates(tx, ids)).map(({ itemId, item }) => [itemId, item]),
  );
  return changed.flatMap(({ key: itemId, seq }) => {
    const item = items.get(itemId);
    const next = item?.selected ? toSelectedItem(item) : null;
    const before = currentItems.get(itemId) ?? null;
    // PostgreSQL's jsonb does not keep the order of keys, so the values are compared by key.
    const isSame = before === null ? next === null : isSameItem(before, next);
    return isSame ? [] : [{ seq, itemId, item: next }];
  });
}

function isSameItem(before: Record<string, unknown>, next: Record<string, unknown> | null) {
  if (next === null) return false;
  const keys = new Set([...Object.keys(before), ...Object.keys(next)]);
  return [...keys].every((key) => before[key] === next[key]);
}
