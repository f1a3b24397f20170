// `radar account credit` and `refund`: an operator's credits, withdrawals and refunds.
import {
  creditAccount,
  type TransferResult,
  topUp,
} from '../../gateway/wallet/credits/post-transfer.ts';
import {
  REFUND_VOUCHER_DAYS,
  type RefundResult,
  refundCall,
} from '../../gateway/wallet/credits/refund-call.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny, type MicroFen, parseCny } from '../../kernel/money.ts';
import type { App } from '../app.ts';
import { requireAccount } from './find-account.ts';

const ACTOR = 'command line';

type CreditOptions = {
  readonly reason: string;
  readonly reference?: string;
  readonly paid?: boolean;
  readonly test?: boolean;
};

export async function applyCredit(
  app: App,
  account: string,
  cny: string,
  options: CreditOptions,
): Promise<void> {
  const amount = parseAmount(cny);
  const { reason, reference = null, paid = false, test = false } = options;
  if (paid && (reference === null || amount < 0n)) {
    throw new Fault('invalid_request', '--paid needs --reference and an amount above zero.');
  }
  await app.withApp(async ({ world, db }) => {
    const { id } = await requireAccount(db, account);
    const credit = { accountId: id, livemode: !test, amount, reason, actor: ACTOR };
    const transferResult =
      paid && reference !== null
        ? await topUp(world, db, { ...credit, reference })
        : await creditAccount(world, db, { ...credit, reference });
    const description = amount < 0n ? `taken out of ${id}` : `given to ${id}`;
    app.terminal.out(`${formatTransfer(transferResult, amount, description)}\n`);
  });
}

type RefundOptions = {
  readonly amount: string;
  readonly reason: string;
  readonly reference?: string;
  readonly test?: boolean;
};

export async function applyRefund(
  app: App,
  account: string,
  requestId: string,
  options: RefundOptions,
): Promise<void> {
  const amount = parseAmount(options.amount);
  const { reason, reference = null, test = false } = options;
  await app.withApp(async ({ world, db }) => {
    const { id } = await requireAccount(db, account);
    const wallet = { accountId: id, livemode: !test, actor: ACTOR };
    const refund = { ...wallet, requestId, amount, reference, reason };
    app.terminal.out(`${formatRefund(await refundCall(world, db, refund), id)}\n`);
  });
}

function formatRefund(refund: RefundResult, accountId: string): string {
  const remaining =
    refund.refundable === 0n
      ? 'Nothing is left to refund.'
      : `${formatCny(refund.refundable)} CNY can still be refunded with another --reference.`;
  if (refund.kind === 'known') {
    const amount = formatCny(refund.amount);
    const message = `Nothing done: entry ${refund.entry} of ${amount} CNY has this reference.`;
    return `${message} ${remaining}`;
  }
  const parts = [
    ...(refund.cash > 0n ? [`${formatCny(refund.cash)} CNY as cash`] : []),
    ...(refund.voucher > 0n
      ? [`${formatCny(refund.voucher)} CNY as a voucher of ${REFUND_VOUCHER_DAYS} days`]
      : []),
  ];
  return `${parts.join(' and ')} refunded to ${accountId} (entry ${refund.entry}). ${remaining}`;
}

/** The outcome as one line; throws when nothing was changed. */
export function formatTransfer(
  transferResult: TransferResult,
  amount: MicroFen,
  description: string,
): string {
  const absoluteAmount = formatCny(amount < 0n ? -amount : amount);
  switch (transferResult.kind) {
    case 'posted':
      return `${absoluteAmount} CNY ${description} (entry ${transferResult.entry}).`;
    case 'known':
      return (
        `Nothing done: entry ${transferResult.entry} of ` +
        `${formatCny(transferResult.amount)} CNY has this reference already.`
      );
    case 'insufficient':
      throw new Fault('invalid_request', 'The account has less cash than this amount.');
  }
}

export function parseAmount(text: string): MicroFen {
  const amount = parseCny(text);
  if (amount === null || amount === 0n) {
    throw new Fault('invalid_request', `"${text}" is no amount in CNY, such as 12.5.`);
  }
  return amount;
}
