// Applies an operator's decision on a top-up: forgive a debt, or close a top-up with a refused
// payment. A decision applies only to the state that the operator saw, under the row's lock.

import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { findTopUp, lockTopUp, updateTopUp } from '../../../store/gateway/top-ups.ts';
import { type TopUp, topUpOf } from './top-up.ts';

/** Decisions that an operator can make. */
export type ManualAction =
  | { readonly kind: 'forgive'; readonly owed: MicroFen }
  | { readonly kind: 'close' }
  | { readonly kind: 'nothing' };

export function manualActionOf({
  state,
  unreclaimed,
}: Pick<TopUp, 'state' | 'unreclaimed'>): ManualAction {
  if (unreclaimed > 0n) return { kind: 'forgive', owed: unreclaimed };
  return { kind: state === 'refused' ? 'close' : 'nothing' };
}

/** `tx`: the caller's transaction. Null: the top-up has changed since the operator saw it. */
export async function resolveManually(
  tx: Db,
  id: string,
  expected: ManualAction,
): Promise<TopUp | null> {
  const row = (await lockTopUp(tx, id))?.row;
  if (row === undefined) return null;
  const currentAction = manualActionOf(topUpOf(row));
  if (currentAction.kind === 'nothing' || currentAction.kind !== expected.kind) return null;
  if (currentAction.kind === 'forgive') {
    if (expected.kind !== 'forgive' || currentAction.owed !== expected.owed) return null;
    await updateTopUp(tx, id, { forgiven: row.forgiven + currentAction.owed });
  } else await updateTopUp(tx, id, { state: 'closed', look_at: null });
  const updatedRow = await findTopUp(tx, id);
  return updatedRow === null ? null : topUpOf(updatedRow);
}
