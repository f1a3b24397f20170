// Reads calls and charges of an account in one mode over a range of Shanghai days.
import type { Db } from '../../../kernel/ports/db.ts';
import { readUsage, type UsageGroup } from '../../../store/ledger/usage-rollups.ts';
import type { ChargeSplit } from '../ledger/allocate-capture.ts';

export type WalletUsage = {
  /** The requested group: a day (YYYY-MM-DD), a capability, a key id, or a pair with a day. */
  readonly group: string;
  /** Started calls, failed ones included. */
  readonly calls: number;
  readonly succeeded: number;
  readonly charge: ChargeSplit;
};

/** `from` and `to`: calendar days, YYYY-MM-DD, inclusive. Groups without calls are absent. */
export async function readWalletUsage(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly from: string;
    readonly to: string;
    readonly groupBy: UsageGroup;
  },
): Promise<readonly WalletUsage[]> {
  const rows = await readUsage(db, query, query);
  return rows.map(({ group, calls, succeeded, allowance, voucher, cash }) => ({
    group,
    calls,
    succeeded,
    charge: { total: allowance + voucher + cash, freeQuota: allowance, voucher, cash },
  }));
}
