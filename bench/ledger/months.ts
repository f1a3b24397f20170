// Measures what partitions of earlier months add to a charge, with 64 callers of one wallet on two
// servers. One server has partitions for 36 months, the other for this month and the next month.
// Each round measures both servers and compares their processor time per call.
import { type BenchRow, median } from '../row.ts';
import { type BenchWallet, openBenchWallet } from './bench-wallet.ts';

const MONTHS = 36;
const CALLERS = 64;
const CALLS = 12_000;
const ROUNDS = 7;
const HISTORY_CALLS = 36_000;

export async function benchMonths(): Promise<BenchRow[]> {
  const manyMonths = await openBenchWallet({ days: MONTHS * 30.4, calls: HISTORY_CALLS });
  const twoMonths = await openBenchWallet({ days: 0, calls: HISTORY_CALLS });
  try {
    await measureCalls(manyMonths);
    await measureCalls(twoMonths);
    const rounds: { manyMonths: CallCost; twoMonths: CallCost }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // The server that is measured first changes with each round.
      const [first, second] = round % 2 === 0 ? [manyMonths, twoMonths] : [twoMonths, manyMonths];
      const costs = [await measureCalls(first), await measureCalls(second)] as const;
      rounds.push(
        round % 2 === 0
          ? { manyMonths: costs[0], twoMonths: costs[1] }
          : { manyMonths: costs[1], twoMonths: costs[0] },
      );
    }
    return (['reserve', 'capture'] as const).map((step) => {
      const ratios = rounds.map((round) => round.manyMonths[step] / round.twoMonths[step]);
      const [manyMonthsUs, twoMonthsUs] = [
        median(rounds.map((round) => round.manyMonths[step])),
        median(rounds.map((round) => round.twoMonths[step])),
      ];
      return {
        name: `${step}: processor time with ${MONTHS} months of partitions against two`,
        value: median(ratios),
        unit: '×',
        goal: { atMost: 1.05 },
        note:
          `${manyMonthsUs.toFixed(1)} and ${twoMonthsUs.toFixed(1)} µs a call; rounds ` +
          ratios.map((ratio) => ratio.toFixed(2)).join(', '),
      };
    });
  } finally {
    await manyMonths.close();
    await twoMonths.close();
  }
}

/** Microseconds of the server's processor time per call. */
type CallCost = { readonly reserve: number; readonly capture: number };

async function measureCalls(bench: BenchWallet): Promise<CallCost> {
  const ids: string[] = [];
  const beganMs = bench.processorMs();
  await withCallers(async () => {
    ids.push(await bench.authorizeCall());
  });
  const reservedMs = bench.processorMs();
  const nextIds = ids.values();
  await withCallers(async () => {
    const { value } = nextIds.next();
    if (value !== undefined) await bench.captureCall(value);
  });
  const capturedMs = bench.processorMs();
  return {
    reserve: ((reservedMs - beganMs) * 1_000) / CALLS,
    capture: ((capturedMs - reservedMs) * 1_000) / CALLS,
  };
}

async function withCallers(work: () => Promise<void>): Promise<void> {
  let remaining = CALLS;
  const caller = async () => {
    while (remaining > 0) {
      remaining -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
