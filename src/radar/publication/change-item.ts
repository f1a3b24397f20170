// Applies an operator's action to one item: withdraw, restore or correct. One transaction stores
// the action and its history. The caller then waits until every serving node has confirmed it.
import { unreachable } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import { findGroupOfItem } from '../../store/radar/sources/duplicate-groups.ts';
import {
  type ItemAction,
  type ItemOverride,
  lockOverride,
  saveOverride,
} from '../../store/radar/sources/item-overrides.ts';
import { findItem } from '../../store/radar/sources/items.ts';
import { publishGroups } from './publish-groups.ts';

export type ItemChange =
  | { readonly action: 'withdraw' }
  | { readonly action: 'restore' }
  | { readonly action: 'correct'; readonly fields: ItemCorrection };

/** An absent field is unchanged; null removes the correction. */
export type ItemCorrection = {
  readonly title?: string | null;
  readonly summary?: string | null;
  readonly category?: string | null;
};

export type ChangeItemResult =
  | { readonly kind: 'changed'; readonly seq: number }
  /** The item already had the requested state. `seq` is the publication's current number. */
  | { readonly kind: 'unchanged'; readonly seq: number }
  /** The item changed after `version` was read. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unknown' };

type ItemChangeRecord = {
  readonly actor: string;
  readonly note: string | null;
  /** Version of the override that the operator saw; absent: no check. */
  readonly version?: number;
};

export async function changeItem(
  world: World,
  db: Db,
  itemId: string,
  change: ItemChange & ItemChangeRecord,
): Promise<ChangeItemResult> {
  return inTransaction(db, async (tx) => {
    if (!(await findItem(tx, itemId))) return { kind: 'unknown' };
    const head = await lockPublication(world, tx);
    const before = await lockOverride(tx, itemId);
    if (change.version !== undefined && change.version !== before.version) {
      return { kind: 'conflict' };
    }
    const after = applyChange(before, change, world.clock.now());
    if (isSame(before, after)) return { kind: 'unchanged', seq: head.seq };
    await saveOverride(tx, after, actionRow(world, itemId, change));
    const groupId = await findGroupOfItem(tx, itemId);
    // Reports keep an item's earlier text, so an action may affect them without changing the public
    // item. The item's reports are therefore always projected again.
    const seq = await publishGroups(world, tx, groupId === null ? [] : [groupId], [itemId]);
    return { kind: 'changed', seq };
  });
}

function applyChange(before: ItemOverride, change: ItemChange, now: number): ItemOverride {
  switch (change.action) {
    case 'withdraw':
      return { ...before, withdrawn_at: before.withdrawn_at ?? now };
    case 'restore':
      return { ...before, withdrawn_at: null };
    case 'correct':
      return { ...before, ...change.fields };
    default:
      return unreachable(change);
  }
}

const isSame = (a: ItemOverride, b: ItemOverride) =>
  a.withdrawn_at === b.withdrawn_at &&
  a.title === b.title &&
  a.summary === b.summary &&
  a.category === b.category;

function actionRow(
  world: World,
  itemId: string,
  change: ItemChange & ItemChangeRecord,
): ItemAction {
  return {
    id: world.ids.next(),
    item_id: itemId,
    action: change.action,
    at: world.clock.now(),
    actor: change.actor,
    fields: change.action === 'correct' ? { ...change.fields } : {},
    note: change.note,
  };
}
