// What the ledger shows of itself when a process is measured. Counting goes through the journal, so
// a worker does it once a minute; whoever asks in between reads one row.

import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readLedgerMetricsRow, updateLedgerMetricsRow } from '../../../store/ledger/metrics.ts';

export type LedgerMetrics = {
  /** When it was counted. */
  readonly at: number;
  readonly entries: number;
  readonly unsealed: number;
  /** Of live calls, since the ledger began. */
  readonly captured: Readonly<Record<'allowance' | 'voucher' | 'cash', MicroFen>>;
  /** Calls that run for at least so many minutes, by the minutes; null: it took too long to say. */
  readonly holds: Readonly<Record<string, number>> | null;
  /** By status. */
  readonly jobs: Readonly<Record<string, number>>;
};

export async function updateLedgerMetrics(world: World, db: Db): Promise<void> {
  await updateLedgerMetricsRow(db, world.clock.now());
}

/** Null: no worker has counted yet. */
export async function readLedgerMetrics(db: Db): Promise<LedgerMetrics | null> {
  const row = await readLedgerMetricsRow(db);
  if (row === null) return null;
  const { at, entries, unsealed, holds, jobs } = row;
  const captured = {
    allowance: BigInt(row.captured_allowance),
    voucher: BigInt(row.captured_voucher),
    cash: BigInt(row.captured_cash),
  };
  return { at, entries, unsealed, captured, holds, jobs };
}
