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
    const { id: subject, email } = account;
    const deletion = await openAccountDeletion(world, db, null);
    const { cash, vouchers, held, owed } = await deletion.remainingMoney(subject);
    const money =
      `CNY ${formatCny(cash)} paid, CNY ${formatCny(vouchers)} in vouchers, ` +
      `CNY ${formatCny(held)} held for running calls, CNY ${formatCny(owed)} owed`;
    if (confirm !== subject) {
      throw new Fault(
        'invalid_request',
        `Nothing was deleted. ${email} is ${subject}, with ${money}. Paid money stays in the ` +
          'ledger, vouchers are lost, and personal data cannot be brought back. To delete it: ' +
          `radar account delete ${subject} --confirm ${subject}`,
      );
    }
    const input = { accountId: subject, confirmedAmount: cash + vouchers };
    const deleted = await withAudit<AccountDeletionResult>(world, db, SHELL, async (tx) => {
      const outcome = await deletion.delete(tx, input);
      return { outcome, entry: deletionRecord(account, outcome, reason ?? 'on request') };
    });
    if (deleted.kind === 'more_money') {
      throw new Fault('invalid_request', 'Nothing was deleted: its money changed. Try again.');
    }
    if (deleted.kind === 'not_found') {
      throw new Fault('not_found', `The account ${subject} was deleted meanwhile.`);
    }
    app.terminal.out(`${subject} is deleted. Its ledger keeps: ${money}.\n`);
  });
}
