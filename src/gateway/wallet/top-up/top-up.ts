// A top-up as its account and the operators see it.
import type { MicroFen } from '../../../kernel/money.ts';
import type { TopUpRow, TopUpState } from '../../../store/top-ups.ts';

export type TopUp = {
  /** `tu_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly amount: MicroFen;
  readonly state: TopUpState;
  /** The provider's name of it. */
  readonly sessionId: string | null;
  /** Where it is paid, while it can be. */
  readonly payUrl: string | null;
  /** False: the provider only plays; nobody's card is charged. Null: not known yet. */
  readonly isRealMoney: boolean | null;
  readonly problem: string | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly lookedAt: number;
  readonly creditedAt: number | null;
  /** What the provider gave back, and what of it is still in, or was spent from, the wallet. */
  readonly refunded: MicroFen;
  readonly short: MicroFen;
};

export function topUpOf(row: TopUpRow): TopUp {
  const canBePaid = row.state === 'open';
  return {
    ...{ id: row.id, accountId: row.account_id, amount: row.amount, state: row.state },
    ...{ sessionId: row.session_id, payUrl: canBePaid ? row.session_url : null },
    ...{ isRealMoney: row.provider_live, problem: row.problem, begunAt: row.begun_at },
    ...{ lookedAt: row.looked_at, creditedAt: row.credited_at, refunded: row.refunded },
    short: row.refunded - row.taken_back,
  };
}
