// Refunds calls. A call can be refunded in parts; each part has a reference and is posted once. A
// refund returns cash first, up to the cash that the call was charged. The rest is a voucher.
import { Fault } from '../../../kernel/errors/fault.ts';
import { formatCny, type MicroFen, microFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { lockDebts } from '../../../store/gateway/top-ups.ts';
import { readRefundEntries, type WalletRef } from '../../../store/ledger/balances.ts';
import { postRefund } from '../../../store/ledger/transfers.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { reclaimDebt } from '../top-ups/reclaim-funds.ts';

/** Validity of a refund's voucher. */
export const REFUND_VOUCHER_DAYS = 30;

export type RefundResult =
  | {
      readonly kind: 'posted';
      /** Sequence number of the journal entry. */
      readonly entry: number;
      readonly cash: MicroFen;
      readonly voucher: MicroFen;
      /** The amount that can still be refunded. */
      readonly refundable: MicroFen;
    }
  /** The reference already has an entry, with this amount; nothing was posted. */
  | {
      readonly kind: 'known';
      readonly entry: number;
      readonly amount: MicroFen;
      readonly refundable: MicroFen;
    };

export type RefundRequest = WalletRef & {
  readonly requestId: string;
  readonly amount: MicroFen;
  /** Identifies a part; null: the call's first part. A repeated reference posts nothing. */
  readonly reference: string | null;
  readonly reason: string;
  readonly actor: string;
};

/** Throws a Fault that states the refundable amount when `amount` exceeds it. */
export async function refundCall(
  world: World,
  db: Db,
  refund: RefundRequest,
): Promise<RefundResult> {
  const { accountId, livemode, requestId, amount } = refund;
  if (amount <= 0n) throw new Fault('invalid_request', 'The amount must be above zero.');
  const now = world.clock.now();
  return inTransaction(db, async (tx) => {
    const debts = livemode ? await lockDebts(tx, accountId) : [];
    const outcome = await postRefund(tx, now, {
      ...refund,
      reference: `refund:${requestId}:${refund.reference ?? 'first'}`,
      voucher: `voucher:${world.ids.next()}`,
      label: 'Refund',
      expiresAt: now + REFUND_VOUCHER_DAYS * DAY_MS,
    });
    if (outcome.kind === 'missing') {
      throw new Fault('not_found', `There is no call ${requestId}.`);
    }
    const remaining = microFen(outcome.left);
    if (outcome.kind === 'above')
      throw new Fault('invalid_request', excessMessage(requestId, remaining));
    const { kind, entry } = outcome;
    if (kind === 'known')
      return { kind, entry, amount: microFen(outcome.amount), refundable: remaining };
    const cash = microFen(outcome.cash);
    if (cash > 0n) await reclaimDebt(world, tx, debts);
    return { kind, entry, cash, voucher: microFen(outcome.voucher), refundable: remaining };
  });
}

const excessMessage = (requestId: string, remaining: MicroFen) =>
  remaining === 0n
    ? `Nothing of ${requestId} is left to refund: it cost nothing, or all of it was refunded.`
    : `At most ${formatCny(remaining)} CNY of ${requestId} can still be refunded.`;

export type CallRefund = {
  readonly at: number;
  readonly reason: string | null;
  readonly actor: string | null;
  readonly cash: MicroFen;
  readonly voucher: MicroFen;
};

/** Refunds by call, oldest first. A call without refunds is absent from the map. */
export async function findRefunds(
  db: Db,
  wallet: WalletRef,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CallRefund[]>> {
  const refunds = new Map<string, CallRefund[]>();
  if (requestIds.length === 0) return refunds;
  for (const entry of await readRefundEntries(db, wallet, requestIds)) {
    const sumOf = (isCash: boolean) =>
      entry.moves
        .filter(({ target }) => (target === 'cash') === isCash)
        .reduce((sum, { amount }) => sum + amount, 0n);
    const { at, reason, actor } = entry;
    const requestId = entry.requestId ?? '';
    const previousRefunds = refunds.get(requestId) ?? [];
    previousRefunds.push({ at, reason, actor, cash: sumOf(true), voucher: sumOf(false) });
    refunds.set(requestId, previousRefunds);
  }
  return refunds;
}
