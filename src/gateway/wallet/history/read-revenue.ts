// Reads the gateway's revenue over a range of Shanghai days, for its operators.
import type { Db } from '../../../kernel/ports/db.ts';
import { findAccountRow } from '../../../store/gateway/accounts.ts';
import {
  type RevenueGroup,
  readRevenue,
  type UsageRow,
} from '../../../store/ledger/usage-rollups.ts';

export type { RevenueGroup };

/** Amounts in micro-fen. */
export type RevenueSums = {
  readonly calls: number;
  readonly succeeded: number;
  /** Charged to cash. */
  readonly paid: bigint;
  readonly vouchers: bigint;
  readonly allowance: bigint;
  /** Cost of the providers, for successful calls with a known cost. */
  readonly cost: bigint;
  /** Calls that succeeded at an unknown cost. */
  readonly callsWithUnknownCost: number;
};

export type RevenueLine = RevenueSums & {
  /** A day, an account's id or a capability. */
  readonly group: string;
  /** The account's address; the group itself for days and capabilities. */
  readonly name: string;
};

export type RevenueQuery = {
  /** Calendar days, YYYY-MM-DD, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: RevenueGroup;
};

/**
 * Groups without calls are absent. `unitCostOf` returns the operator's cost of one unit in
 * micro-fen; null: unknown. Today's cost applies to all days.
 */
export async function listRevenue(
  db: Db,
  query: RevenueQuery,
  unitCostOf: (capability: string) => bigint | null,
): Promise<readonly RevenueLine[]> {
  const groups = new Map<string, RevenueSums[]>();
  for (const row of await readRevenue(db, query)) {
    // The store adds the capability to each group: `2026-11-05 ocr`.
    const space = row.group.lastIndexOf(' ');
    const [group, capability] = [row.group.slice(0, space), row.group.slice(space + 1)];
    const sums = groups.get(group) ?? [];
    sums.push(sumsOf(row, unitCostOf(capability)));
    groups.set(group, sums);
  }
  return Promise.all(
    [...groups].map(async ([group, sums]) => {
      const account = query.groupBy === 'account' ? await findAccountRow(db, group) : null;
      return { group, name: account?.email ?? group, ...addRevenue(sums) };
    }),
  );
}

function sumsOf(row: UsageRow, unitCost: bigint | null): RevenueSums {
  const { calls, succeeded, units, allowance, voucher, cash } = row;
  // A capability without a price has no billed units.
  const count = units > 0 ? units : succeeded;
  return {
    calls,
    succeeded,
    paid: cash,
    vouchers: voucher,
    allowance,
    cost: (unitCost ?? 0n) * BigInt(count),
    callsWithUnknownCost: unitCost === null ? succeeded : 0,
  };
}

export function addRevenue(lines: readonly RevenueSums[]): RevenueSums {
  const sumCounts = (pick: (line: RevenueSums) => number) =>
    lines.reduce((sum, row) => sum + pick(row), 0);
  const sumAmounts = (pick: (line: RevenueSums) => bigint) =>
    lines.reduce((sum, row) => sum + pick(row), 0n);
  return {
    calls: sumCounts(({ calls }) => calls),
    succeeded: sumCounts(({ succeeded }) => succeeded),
    paid: sumAmounts(({ paid }) => paid),
    vouchers: sumAmounts(({ vouchers }) => vouchers),
    allowance: sumAmounts(({ allowance }) => allowance),
    cost: sumAmounts(({ cost }) => cost),
    callsWithUnknownCost: sumCounts(({ callsWithUnknownCost }) => callsWithUnknownCost),
  };
}
