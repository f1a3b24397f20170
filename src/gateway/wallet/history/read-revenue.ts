// Revenue of the gateway over a range of Shanghai days, for its operators.
import type { Db } from '../../../kernel/ports/db.ts';
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import { findAccountRow } from '../../../store/gateway/accounts.ts';
import { type RevenueGroup, readRevenue } from '../../../store/ledger/read-revenue.ts';

export type { RevenueGroup };

export type RevenueLine = {
  /** A day, an account's id or a capability. */
  readonly group: string;
  /** The account's address; the group itself for days and capabilities. */
  readonly name: string;
  readonly calls: number;
  readonly succeeded: number;
  /** Charged to cash. */
  readonly paid: bigint;
  readonly vouchers: bigint;
  readonly allowance: bigint;
};

/** `from` and `to`: real days, YYYY-MM-DD, both inclusive. Groups without calls are left out. */
export async function revenueOf(
  db: Db,
  { from, to, groupBy }: { readonly from: string; readonly to: string; groupBy: RevenueGroup },
): Promise<readonly RevenueLine[]> {
  // Noon falls on the same day under every historical offset of Asia/Shanghai.
  const dayOf = (day: string) => shanghaiDay(Date.parse(`${day}T04:00:00Z`));
  const range = { starts: dayOf(from).startsAt, ends: dayOf(to).endsAt, groupBy };
  const rows = await readRevenue(db, range);
  return Promise.all(
    rows.map(async ({ group, calls, succeeded, allowance, voucher, cash }) => {
      const account = groupBy === 'account' ? await findAccountRow(db, group) : null;
      const name = account?.email ?? group;
      return { group, name, calls, succeeded, paid: cash, vouchers: voucher, allowance };
    }),
  );
}
