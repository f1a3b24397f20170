// Deletion of an account by an operator: the audit log has the operator and the reason.
import { formatCny } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { type AuditActor, audited } from '../../operators/audit-log.ts';
import type { Account } from './account.ts';
import type { AccountDeletion, AccountDeletionResult } from './delete-account.ts';

type RequestedDeletion = {
  readonly account: Pick<Account, 'id' | 'status'>;
  readonly confirmed: bigint;
  readonly note: string;
};

export const deleteOnRequest = (
  world: World,
  db: Db,
  { deletion, actor }: { readonly deletion: AccountDeletion; readonly actor: AuditActor },
  { account: { id: subject, status }, confirmed, note }: RequestedDeletion,
): Promise<AccountDeletionResult> =>
  audited<AccountDeletionResult>(world, db, actor, async (tx) => {
    const outcome = await deletion.delete(tx, { accountId: subject, confirmed });
    if (outcome.kind !== 'deleted') return { outcome, entry: null };
    const { cash } = outcome.left;
    const after = { status: 'deleted', ...(cash > 0n && { cash: formatCny(cash) }) };
    const entry = { action: 'delete', kind: 'account', subject, before: { status }, after, note };
    return { outcome, entry };
  });
