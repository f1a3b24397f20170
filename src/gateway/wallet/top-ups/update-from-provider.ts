// Applies a provider's session to a top-up in one transaction under the row's lock. Repeated and
// unordered sessions credit a payment exactly once. `reclaim-funds.ts` reclaims refunds and
// disputes.
import { requirePresent } from '../../../kernel/errors/assert.ts';
import { formatCny, MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { listTopUpDisputes, saveDispute } from '../../../store/gateway/top-up-disputes.ts';
import { listTopUpRefunds, saveRefund } from '../../../store/gateway/top-up-refunds.ts';
import {
  findTopUp,
  lockTopUp,
  type TopUpChange,
  type TopUpRow,
  type TopUpState,
  updateTopUp,
} from '../../../store/gateway/top-ups.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import type { ProviderSession } from './checkout-session.ts';
import type { ProviderDispute } from './dispute.ts';
import { nextSyncAt } from './next-sync.ts';
import { addCash, reclaimDebt, reclaimFunds } from './reclaim-funds.ts';
import { hasFailed, type ProviderRefund, refundedAmount } from './refund.ts';
import { type TopUp, topUpOf } from './top-up.ts';

export type ProviderState = ProviderSession & {
  /** An event reported that the payment failed after the session was complete. */
  readonly hasFailed: boolean;
  readonly disputes: readonly ProviderDispute[];
  readonly refunds: readonly ProviderRefund[];
};

/** Null: the top-up does not exist. */
export async function updateFromProvider(
  world: World,
  db: Db,
  update: {
    readonly id: string;
    readonly providerState: ProviderState;
    readonly installation: string;
  },
): Promise<TopUp | null> {
  const { id, providerState } = update;
  const states = await inTransaction(db, async (tx) => {
    const lockedTopUp = await lockTopUp(tx, id);
    if (lockedTopUp === null) return null;
    const { row, otherDebts } = lockedTopUp;
    await updateTopUp(tx, id, await applyProviderState(world, tx, row, update));
    await reclaimDebt(world, tx, otherDebts);
    return { before: row, after: requirePresent(await findTopUp(tx, id), id) };
  });
  if (states === null) return null;
  logChanges(world, states.before, states.after, providerState);
  return topUpOf(states.after);
}

async function applyProviderState(
  world: World,
  tx: Db,
  row: TopUpRow,
  {
    providerState,
    installation,
  }: { readonly providerState: ProviderState; readonly installation: string },
): Promise<TopUpChange> {
  const now = world.clock.now();
  const syncedChange: TopUpChange = { looked_at: now };
  const mismatchReason = findMismatch(row, providerState, installation);
  if (mismatchReason !== null) {
    // The session belongs to another installation or to another top-up.
    world.log.error(
      { topUp: row.id, session: providerState.sessionId, reason: mismatchReason },
      'a session is refused',
    );
    return syncedChange;
  }
  // A top-up that an operator closed is never credited.
  if (row.state === 'closed') return { ...syncedChange, look_at: null };
  const problem = differenceOf(row, providerState);
  if (problem !== null && row.state !== 'credited') {
    return {
      ...syncedChange,
      session_id: providerState.sessionId,
      state: 'refused',
      problem,
      look_at: null,
    };
  }
  const changes: TopUpChange = {
    ...syncedChange,
    session_id: providerState.sessionId,
    session_url: providerState.url ?? row.session_url,
    provider_live: providerState.isLive,
    payment_intent: providerState.paymentIntent ?? row.payment_intent,
  };
  if (row.state !== 'credited' && providerState.status !== 'paid') {
    const state = laterState(row.state, providerState.hasFailed ? 'failed' : providerState.status);
    return { ...changes, state, look_at: nextSyncAt(state, row.begun_at, now) };
  }
  if (row.state !== 'credited') {
    const payment = {
      amount: row.amount,
      reference: `top-up:${row.id}`,
      reason: providerState.sessionId,
    };
    await addCash(world, tx, row, { ...payment, kind: 'top_up' });
  }
  return {
    ...changes,
    ...(row.state !== 'credited' && { state: 'credited', problem: null, credited_at: now }),
    look_at: null,
    ...(await applyRefundsAndDisputes(world, tx, row, providerState)),
  };
}

/** Stores refunds and disputes, and reclaims their amounts. Returns the change of the row. */
async function applyRefundsAndDisputes(
  world: World,
  tx: Db,
  row: TopUpRow,
  providerState: ProviderState,
): Promise<TopUpChange> {
  for (const { begunAt, ...refund } of providerState.refunds) {
    await saveRefund(tx, {
      ...refund,
      top_up_id: row.id,
      amount: refund.amount ?? row.amount,
      begun_at: begunAt,
    });
  }
  const refundTotal = BigInt(providerState.refundedFen) * MICRO_FEN_PER_FEN;
  const refundedTotal = refundedAmount(await listTopUpRefunds(tx, [row.id]), {
    total: refundTotal,
    before: row.refunded,
  });
  // The refunded amount never exceeds the paid amount.
  const refunded = refundedTotal > row.amount ? row.amount : refundedTotal;
  for (const { openedAt, answerBy, isWithheld, ...dispute } of providerState.disputes) {
    await saveDispute(tx, {
      ...dispute,
      top_up_id: row.id,
      withheld: isWithheld,
      amount: dispute.amount ?? row.amount,
      opened_at: openedAt,
      answer_by: answerBy,
    });
  }
  const withholdingDisputes = (await listTopUpDisputes(tx, [row.id])).filter(
    (dispute) => dispute.withheld,
  );
  const disputed = withholdingDisputes.reduce((sum, { amount }) => sum + amount, 0n);
  const changes = { refunded, disputed };
  const failedAmount = row.refunded > refunded ? row.refunded - refunded : 0n;
  return { ...changes, ...(await reclaimFunds(world, tx, { ...row, ...changes }, failedAmount)) };
}

/** The reason why a session does not belong to this top-up; null when it does. */
function findMismatch(
  row: TopUpRow,
  providerState: ProviderState,
  installation: string,
): string | null {
  if (providerState.installation !== installation) return 'it belongs to another installation';
  if (providerState.topUpId !== row.id) return 'it belongs to another top-up';
  const isOtherSession = row.session_id !== null && row.session_id !== providerState.sessionId;
  return isOtherSession ? `the session of this top-up is ${row.session_id}` : null;
}

/**
 * The difference between the provider's session and the requested top-up; null when there is none.
 */
function differenceOf(row: TopUpRow, providerState: ProviderState): string | null {
  if (row.provider_live !== null && row.provider_live !== providerState.isLive) {
    return 'the provider’s test mode has changed';
  }
  if (providerState.currency !== 'cny') return `it is paid in ${providerState.currency}`;
  const amount = BigInt(providerState.amountFen) * MICRO_FEN_PER_FEN;
  if (amount !== row.amount) return `it is for ${formatCny(amount)} CNY`;
  return null;
}

const stateOrder: readonly TopUpState[] = ['begun', 'open', 'processing', 'expired', 'failed'];

/** Responses can be out of order, so the more advanced state stays. */
function laterState(state: TopUpState, reportedState: TopUpState | 'paid'): TopUpState {
  const isLater = stateOrder.indexOf(reportedState as TopUpState) > stateOrder.indexOf(state);
  // A refused payment is synced again and may succeed later.
  return state === 'refused' || isLater ? (reportedState as TopUpState) : state;
}

function logChanges(
  { log }: World,
  before: TopUpRow,
  after: TopUpRow,
  providerState: ProviderState,
): void {
  const { sessionId, refunds } = providerState;
  const logFields = { topUp: after.id, account: after.account_id, session: sessionId };
  if (after.state === 'refused' && before.state !== 'refused') {
    log.error(
      { ...logFields, problem: after.problem },
      'a top-up differs from the requested amount',
    );
  }
  if (before.state !== 'credited' && after.state === 'credited') {
    log.info({ ...logFields, amount: formatCny(after.amount) }, 'a top-up was paid');
  }
  if (after.refunded < before.refunded) {
    const failedRefunds = refunds.filter(hasFailed).map(({ id, reason }) => ({ id, reason }));
    const returnedCny = formatCny(before.refunded - after.refunded);
    log.warn(
      { ...logFields, failed: failedRefunds, back: returnedCny },
      'a refund has failed: the money is in the wallet again',
    );
  }
  const refundedOrDisputed = (topUp: TopUpRow) => topUp.refunded + topUp.disputed;
  if (refundedOrDisputed(after) !== refundedOrDisputed(before)) {
    const { refunded, disputed, owed } = after;
    const amounts = { refunded: formatCny(refunded), disputed: formatCny(disputed) };
    log[disputed > 0n || owed > 0n ? 'warn' : 'info'](
      { ...logFields, ...amounts, owed: formatCny(owed) },
      'the refunded or disputed amount of a top-up has changed',
    );
  }
}
