// Reclaims refunded and disputed amounts from the wallet, up to its cash outside of holds. The rest
// is a debt. Later cash pays the debt first, in the same transaction.
//
// A won dispute or a failed refund returns the money to the wallet.
import { assert } from '../../../kernel/errors/assert.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  listAccountsWithPayableDebt,
  lockDebts,
  reclaimFromCash,
  type TopUpChange,
  type TopUpRow,
  updateTopUp,
} from '../../../store/gateway/top-ups.ts';
import { postTransfer, type Transfer } from '../../../store/ledger/transfers.ts';
import { inTransaction } from '../../../store/platform/db.ts';

const CHECKOUT = 'checkout';
const ACCOUNTS_AT_ONCE = 100;

const minOf = (a: MicroFen, b: MicroFen) => (a < b ? a : b);
const maxOf = (a: MicroFen, b: MicroFen) => (a > b ? a : b);

/**
 * Moves money until the reclaimed and forgiven amounts equal the amount due for `row`, as far as
 * there is cash. The caller holds the row's lock and writes the returned change. `failedAmount` is
 * the decrease of the refunded amount, which is posted as the return of a failed refund.
 */
export async function reclaimFunds(
  world: World,
  tx: Db,
  row: TopUpRow,
  failedAmount: MicroFen = 0n,
): Promise<TopUpChange> {
  // The bank and the operator can both return the same money; it is reclaimed once.
  const amountDue = minOf(row.amount, row.refunded + row.disputed);
  let { taken_back: reclaimed, moves } = row;
  const forgiven = minOf(row.forgiven, maxOf(amountDue - reclaimed, 0n));
  const account = { accountId: row.account_id, actor: CHECKOUT };
  const reason = row.payment_intent ?? row.session_id;
  // The counter makes references unique, because money may be moved and returned several times.
  const reference = () => `top-up-refund:${row.id}:#${moves}`;
  const returnPart = async (kind: 'top_up_refund_failed' | 'top_up_return', amount: MicroFen) => {
    if (amount <= 0n) return;
    moves += 1;
    await addCash(world, tx, row, { reference: reference(), reason, amount, kind });
    reclaimed -= amount;
  };
  await returnPart('top_up_refund_failed', minOf(failedAmount, reclaimed - amountDue));
  await returnPart('top_up_return', reclaimed - amountDue);
  const takeCash = async (kind: 'top_up_refund' | 'top_up_dispute', upTo: MicroFen) => {
    if (upTo <= reclaimed) return;
    const input = { ...account, kind, max: upTo - reclaimed, reason: reason ?? row.id };
    const reclaimedAmount = await reclaimFromCash(tx, world.clock.now(), {
      ...input,
      reference: `top-up-refund:${row.id}:#${moves + 1}`,
    });
    if (reclaimedAmount === 0n) return;
    moves += 1;
    reclaimed += reclaimedAmount;
  };
  await takeCash('top_up_refund', minOf(row.refunded, amountDue - forgiven));
  await takeCash('top_up_dispute', amountDue - forgiven);
  return { taken_back: reclaimed, forgiven, moves };
}

/** Adds a payment, or returned money, to the cash of the wallet. */
export async function addCash(
  world: World,
  tx: Db,
  { account_id: accountId }: TopUpRow,
  details: Pick<Transfer, 'amount' | 'reference' | 'reason'> & {
    readonly kind: 'top_up' | 'top_up_return' | 'top_up_refund_failed';
  },
): Promise<void> {
  const { kind } = await postTransfer(tx, world.clock.now(), {
    ...details,
    accountId,
    livemode: true,
    source: 'top-ups',
    target: 'cash',
    requestId: null,
    label: null,
    expiresAt: null,
    actor: CHECKOUT,
  });
  // A payment that an operator posted manually under the same reference is not posted again.
  const isPosted = kind === 'posted' || (kind === 'known' && details.kind === 'top_up');
  assert(isPosted, `${details.reference} must be posted once`);
}

/**
 * Pays the account's debts from its cash, oldest first. The caller locks the rows of `debts` before
 * the wallet. A sync locks in the same order, so a deadlock is impossible.
 */
export async function reclaimDebt(world: World, tx: Db, debts: readonly TopUpRow[]): Promise<void> {
  for (const row of debts.toSorted((a, b) => a.begun_at - b.begun_at)) {
    await updateTopUp(tx, row.id, await reclaimFunds(world, tx, row));
  }
}

/**
 * Pays debts from cash that became available in other ways, such as a released hold. Returns the
 * number of accounts.
 */
export async function reclaimAllDebts(world: World, db: Db): Promise<number> {
  const accounts = await listAccountsWithPayableDebt(db, ACCOUNTS_AT_ONCE);
  for (const accountId of accounts) {
    await inTransaction(db, async (tx) => reclaimDebt(world, tx, await lockDebts(tx, accountId)));
  }
  return accounts.length;
}
