// Measures charges of one wallet against pgbench's own transaction (tpcb-like), in turns on one
// server with fsync on. The rows have reserves, captures and whole charges of 16 and 64 callers.
// They also have reserves and captures of one caller, against one durable statement. The slices
// `alone`, `16` and `64` select rows (`npm run bench -- ledger:alone ledger:16`). The slice
// `months` compares 36 months of partitions with two, in turns on two servers.

import { openBenchWallet } from './ledger/bench-wallet.ts';
import { benchConcurrentCallers, type RoundPlan } from './ledger/concurrent-callers.ts';
import { benchMonths } from './ledger/months.ts';
import { openPgbench } from './ledger/pgbench.ts';
import { benchSingleCaller } from './ledger/single-caller.ts';
import { type BenchRow, isSelected, type Slices } from './row.ts';

/** Several short rounds, so that a disturbance affects only one of them. */
const plan: RoundPlan = { seconds: 2, rounds: 5 };
const ALONE_SECONDS = 12;

export async function benchLedger({ selected, report }: Slices): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const addRows = (newRows: readonly BenchRow[]) => {
    for (const row of newRows) report(row);
    rows.push(...newRows);
  };
  if (isSelected(selected, 'months')) addRows(await benchMonths());
  if (selected.length > 0 && selected.every((slice) => slice === 'months')) return rows;
  const bench = await openBenchWallet();
  try {
    if (isSelected(selected, 'alone')) addRows(await benchSingleCaller(bench, ALONE_SECONDS));
    const concurrencySpecs = [
      { callers: 16, goal: 3.5 },
      { callers: 64, goal: 10 },
    ].filter(({ callers }) => isSelected(selected, String(callers)));
    if (concurrencySpecs.length === 0) return rows;
    const pgbench = await openPgbench(bench.connection);
    if (pgbench === null) {
      const note = "not measured: pgbench is missing (Debian's postgresql-15 has it)";
      addRows([{ name: 'charges against pgbench', value: Number.NaN, unit: '×', note }]);
      return rows;
    }
    for (const { callers, goal } of concurrencySpecs) {
      addRows(await benchConcurrentCallers(bench, pgbench, { callers, goal, plan }));
    }
    return rows;
  } finally {
    await bench.close();
  }
}
