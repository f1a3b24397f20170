// The one way in which anything about items becomes public or stops being so: the projection of
// whole reading groups is computed anew and only its difference to what stands is written.
import type { Db } from '../../kernel/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  deletePublicItems,
  type PublicItemRow,
  publicItemRows,
  upsertPublicItems,
} from '../../store/public-items.ts';
import { advancePublication, lockPublication } from '../../store/publication-head.ts';
import { type GroupMember, groupMembers, setRepresentative } from '../../store/reading-groups.ts';
import { appendLedger, currentLedgerStates } from '../../store/selected-ledger.ts';
import type { PublicItem } from './item.ts';
import { toLedgerItem } from './ledger-item.ts';
import { type ProjectedGroup, projectGroup } from './project-group.ts';
import { fromRow, toRow } from './public-row.ts';

/** Part of the caller's transaction. Answers the publication's number after it. */
export async function publishGroups(
  world: World,
  tx: Db,
  groupIds: readonly string[],
): Promise<number> {
  const head = await lockPublication(world, tx);
  const members = await groupMembers(tx, groupIds);
  const wanted = new Map<string, PublicItem>();
  for (const group of byGroup(members)) {
    const projected = projectGroup(group);
    await moveSeat(tx, group, projected);
    for (const item of projected.items) wanted.set(item.id, item);
  }
  const ids = members.map((member) => member.id);
  const standing = new Map((await publicItemRows(tx, ids)).map((row) => [row.id, row]));
  const changed = ids.filter((id) => isChanged(standing.get(id), wanted.get(id)));
  const numbered = changed.map((key, index) => ({
    kind: 'item' as const,
    key,
    seq: head.seq + index + 1,
  }));
  const now = world.clock.now();
  await upsertPublicItems(
    tx,
    changed.flatMap((id) => {
      const item = wanted.get(id);
      return item ? [toRow(item)] : [];
    }),
  );
  await deletePublicItems(
    tx,
    changed.filter((id) => !wanted.has(id)),
  );
  await appendLedger(tx, await ledgerChanges(tx, numbered, wanted), now);
  await advancePublication(tx, numbered, now);
  return numbered.at(-1)?.seq ?? head.seq;
}

function byGroup(members: readonly GroupMember[]): readonly (readonly GroupMember[])[] {
  return [...Map.groupBy(members, (member) => member.group_id).values()];
}

async function moveSeat(tx: Db, group: readonly GroupMember[], projected: ProjectedGroup) {
  const [first] = group;
  if (first && first.representative_id !== projected.representativeId) {
    await setRepresentative(tx, first.group_id, projected.representativeId);
  }
}

function isChanged(row: PublicItemRow | undefined, item: PublicItem | undefined): boolean {
  if (!row || !item) return Boolean(row) !== Boolean(item);
  return JSON.stringify(fromRow(row)) !== JSON.stringify(fromRow(toRow(item)));
}

type Numbered = { readonly key: string; readonly seq: number };

async function ledgerChanges(
  tx: Db,
  changed: readonly Numbered[],
  wanted: ReadonlyMap<string, PublicItem>,
) {
  const ids = changed.map((change) => change.key);
  const standing = new Map((await currentLedgerStates(tx, ids)).map((s) => [s.itemId, s.item]));
  return changed.flatMap(({ key: itemId, seq }) => {
    const item = wanted.get(itemId);
    const next = item?.selected ? toLedgerItem(item) : null;
    const before = standing.get(itemId) ?? null;
    // PostgreSQL's jsonb forgets the order of keys, so both sides are read back the same way.
    const isSame = before === null ? next === null : sameLedgerItem(before, next);
    return isSame ? [] : [{ seq, itemId, item: next }];
  });
}

function sameLedgerItem(before: Record<string, unknown>, next: Record<string, unknown> | null) {
  if (next === null) return false;
  const keys = new Set([...Object.keys(before), ...Object.keys(next)]);
  return [...keys].every((key) => before[key] === next[key]);
}
