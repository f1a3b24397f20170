// Posts transfers outside of calls: top-ups, credits, vouchers. Each is one journal entry, and
// entries are never changed.
import { Fault } from '../../../kernel/errors/fault.ts';
import { formatCny, MAX_AMOUNT, type MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { lockDebts } from '../../../store/gateway/top-ups.ts';
import type { WalletRef } from '../../../store/ledger/balances.ts';
import type { TransferResult } from '../../../store/ledger/decode-result.ts';
import { postTransfer, type Transfer } from '../../../store/ledger/transfers.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { reclaimDebt } from '../top-ups/reclaim-funds.ts';

export type { TransferResult };

/** Adds a received payment to the account's cash. A repeated `reference` posts nothing. */
export async function topUp(
  world: World,
  db: Db,
  payment: WalletRef & {
    readonly amount: MicroFen;
    readonly reference: string;
    readonly reason: string | null;
    readonly actor: string;
  },
): Promise<TransferResult> {
  const transfer = { source: 'top-ups', target: 'cash' };
  return postWalletTransfer(world, db, { ...emptyFields, ...payment, ...transfer, kind: 'top_up' });
}

/** An operator's credit to an account's cash; a negative amount is a debit. */
export async function creditAccount(
  world: World,
  db: Db,
  credit: WalletRef & {
    readonly amount: MicroFen;
    readonly reference: string | null;
    readonly reason: string;
    readonly actor: string;
  },
): Promise<TransferResult> {
  const [amount, transfer] =
    credit.amount < 0n
      ? [-credit.amount, { source: 'cash', target: 'promotions' }]
      : [credit.amount, { source: 'promotions', target: 'cash' }];
  return postWalletTransfer(world, db, {
    ...emptyFields,
    ...credit,
    ...transfer,
    amount,
    kind: 'credit',
  });
}

/** Returns the transfer's result and the voucher id. `expiresAt`: epoch milliseconds. */
export async function issueVoucher(
  world: World,
  db: Db,
  voucher: WalletRef & {
    readonly amount: MicroFen;
    readonly name: string;
    readonly expiresAt: number;
    readonly reference: string | null;
    readonly reason: string | null;
    readonly actor: string;
  },
): Promise<TransferResult & { readonly voucherId: string }> {
  if (voucher.expiresAt <= world.clock.now()) {
    throw new Fault('invalid_request', 'A voucher must expire in the future.');
  }
  const voucherId = world.ids.next();
  const { name, ...voucherFields } = voucher;
  const transfer = { source: 'promotions', target: `voucher:${voucherId}` };
  const result = await postWalletTransfer(world, db, {
    ...emptyFields,
    ...voucherFields,
    ...transfer,
    label: name,
    kind: 'voucher',
  });
  return { ...result, voucherId };
}

const emptyFields = { reference: null, requestId: null, label: null, expiresAt: null } as const;

async function postWalletTransfer(
  world: World,
  db: Db,
  transfer: Transfer,
): Promise<TransferResult> {
  if (transfer.amount <= 0n) throw new Fault('invalid_request', 'The amount must be above zero.');
  if (transfer.amount > MAX_AMOUNT) {
    throw new Fault('invalid_request', `The amount may be at most ${formatCny(MAX_AMOUNT)} CNY.`);
  }
  const { accountId, livemode, target } = transfer;
  return inTransaction(db, async (tx) => {
    // New cash first pays the account's debt for refunded or disputed payments.
    const debts = livemode && target === 'cash' ? await lockDebts(tx, accountId) : [];
    const result = await postTransfer(tx, world.clock.now(), transfer);
    if (result.kind === 'posted') await reclaimDebt(world, tx, debts);
    return result;
  });
}
