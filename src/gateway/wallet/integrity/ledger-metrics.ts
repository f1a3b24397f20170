// Counts and reads the metrics of the ledger. Counting reads the journal, so a worker counts once a
// minute and a scrape reads one row.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readLedgerMetricsRow, updateLedgerMetricsRow } from '../../../store/ledger/metrics.ts';

export type LedgerMetrics = {
  /** Time of the count. */
  readonly at: number;
  readonly entries: number;
  readonly unsealed: number;
  /** Captured in live mode since the first entry. */
  readonly captured: Readonly<Record<'allowance' | 'voucher' | 'cash', MicroFen>>;
  /** Number of open holds by minimum age in minutes; null: the count timed out. */
  readonly holds: Readonly<Record<string, number>> | null;
  /** By status. */
  readonly jobs: Readonly<Record<string, number>>;
};

export async function updateLedgerMetrics(world: World, db: Db): Promise<void> {
  await updateLedgerMetricsRow(db, world.clock.now());
}

/** Null before the first count. */
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
