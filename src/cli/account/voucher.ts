// `radar account voucher`: money that expires after a given number of days.
import { issueVoucher } from '../../gateway/wallet/credits/post-transfer.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { App } from '../app.ts';
import { formatTransfer, parseAmount } from './credit.ts';
import { requireExistingAccount } from './find-account.ts';

type VoucherOptions = {
  readonly days: string;
  readonly name: string;
  readonly reason?: string;
  readonly reference?: string;
  readonly test?: boolean;
};

export async function issueVoucherTo(
  app: App,
  account: string,
  cny: string,
  options: VoucherOptions,
): Promise<void> {
  const amount = parseAmount(cny);
  const { name, reason = null, reference = null, test = false } = options;
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    throw new Fault('invalid_request', '--days must be a whole number from 1 to 3650.');
  }
  await app.withApp(async ({ world, db }) => {
    const { id } = await requireExistingAccount(db, account);
    const expiresAt = world.clock.now() + days * DAY_MS;
    const transferResult = await issueVoucher(world, db, {
      accountId: id,
      livemode: !test,
      actor: 'command line',
      amount,
      name,
      expiresAt,
      reference,
      reason,
    });
    const description = `in voucher ${transferResult.voucherId} for ${id}, for ${days} days`;
    app.terminal.out(`${formatTransfer(transferResult, amount, description)}\n`);
  });
}
