// `radar account delete`: erases the personal data of an account on its owner's request.
import {
  type AccountDeletionResult,
  deletionRecord,
  openAccountDeletion,
} from '../../gateway/accounts/delete-account.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny } from '../../kernel/money.ts';
import { SHELL, withAudit } from '../../operators/audit-log.ts';
import type { App } from '../app.ts';
import { requireExistingAccount } from './find-account.ts';

/** Without `confirm` nothing is deleted: the command prints what would be lost. */
export async function deleteAccount(
  app: App,
  accountName: string,
  { confirm, reason }: { readonly confirm?: string; readonly reason?: string },
): Promise<void> {
  await app.withApp(async ({ world, db }) => {
    const account = await requireExistingAccount(db, accountName);
    const { id: accountId, email } = account;
    const deletion = await openAccountDeletion(world, db, null);
    const { cash, vouchers, held, debt } = await deletion.remainingMoney(accountId);
    const money =
      `CNY ${formatCny(cash)} paid, CNY ${formatCny(vouchers)} in vouchers, ` +
      `CNY ${formatCny(held)} held for running calls, CNY ${formatCny(debt)} owed`;
    if (confirm !== accountId) {
      throw new Fault(
        'invalid_request',
        `Nothing was deleted. ${email} is ${accountId}, with ${money}. Paid money stays in the ` +
          'ledger, vouchers are lost, and personal data cannot be brought back. To delete it: ' +
          `radar account delete ${accountId} --confirm ${accountId}`,
      );
    }
    const input = { accountId, confirmedAmount: cash + vouchers };
    const deletionResult = await withAudit<AccountDeletionResult>(world, db, SHELL, async (tx) => {
      const outcome = await deletion.delete(tx, input);
      return { outcome, entry: deletionRecord(account, outcome, reason ?? 'on request') };
    });
    if (deletionResult.kind === 'more_money') {
      throw new Fault('invalid_request', 'Nothing was deleted: the balance changed. Try again.');
    }
    if (deletionResult.kind === 'not_found') {
      throw new Fault('not_found', `The account ${accountId} was deleted meanwhile.`);
    }
    app.terminal.out(`${accountId} is deleted. Its ledger keeps: ${money}.\n`);
  });
}
