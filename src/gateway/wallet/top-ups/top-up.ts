// Defines a top-up as its account and the operators see it.
import type { MicroFen } from '../../../kernel/money.ts';
import type { TopUpRow, TopUpState } from '../../../store/gateway/top-ups.ts';

export type TopUp = {
  /** `tu_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly amount: MicroFen;
  readonly state: TopUpState;
  /** Ids of the session and the payment at the provider. */
  readonly sessionId: string | null;
  readonly paymentIntent: string | null;
  /** The payment page while the top-up can be paid; otherwise null. */
  readonly payUrl: string | null;
  /** False: the provider runs in test mode. Null: not known yet. */
  readonly isRealMoney: boolean | null;
  readonly problem: string | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly syncedAt: number;
  readonly creditedAt: number | null;
  /** Amounts that the provider refunded, the bank withholds, and an operator forgave. */
  readonly refunded: MicroFen;
  readonly disputed: MicroFen;
  readonly forgiven: MicroFen;
  /** Debt: refunded and disputed amounts that are neither reclaimed nor forgiven. */
  readonly unreclaimed: MicroFen;
};

export function topUpOf(row: TopUpRow): TopUp {
  const canBePaid = row.state === 'open';
  return {
    id: row.id,
    accountId: row.account_id,
    amount: row.amount,
    state: row.state,
    sessionId: row.session_id,
    paymentIntent: row.payment_intent,
    payUrl: canBePaid ? row.session_url : null,
    isRealMoney: row.provider_live,
    problem: row.problem,
    begunAt: row.begun_at,
    syncedAt: row.looked_at,
    creditedAt: row.credited_at,
    refunded: row.refunded,
    disputed: row.disputed,
    forgiven: row.forgiven,
    unreclaimed: row.owed,
  };
}
