// The cost of partitions of earlier months for a charge: 64 callers of one wallet on two servers.
// One server has 36 months of calls, the other this month and the next. Rounds of both alternate
// and compare the processor time of their servers per call.
import { type BenchRow, median } from '../row.ts';
import { type BenchWallet, openBenchWallet } from './bench-wallet.ts';

const MONTHS = 36;
const CALLERS = 64;
const CALLS = 12_000;
const ROUNDS = 7;
const HISTORY_CALLS = 36_000;

export async function benchMonths(): Promise<BenchRow[]> {
  const partitioned = await openBenchWallet({ days: MONTHS * 30.4, calls: HISTORY_CALLS });
  const unpartitioned = await openBenchWallet({ days: 0, calls: HISTORY_CALLS });
  try {
    await measureCalls(partitioned);
    await measureCalls(unpartitioned);
    const rounds: { many: CallCost; few: CallCost }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Neither is always first.
      const [first, second] =
        round % 2 === 0 ? [partitioned, unpartitioned] : [unpartitioned, partitioned];
      const costs = [await measureCalls(first), await measureCalls(second)] as const;
      rounds.push(
        round % 2 === 0 ? { many: costs[0], few: costs[1] } : { many: costs[1], few: costs[0] },
      );
    }
    return (['reserve', 'capture'] as const).map((step) => {
      const ratios = rounds.map((round) => round.many[step] / round.few[step]);
      const [manyUs, fewUs] = [
        median(rounds.map((round) => round.many[step])),
        median(rounds.map((round) => round.few[step])),
      ];
      return {
        name: `${step}: processor time with ${MONTHS} months of partitions against two`,
        value: median(ratios),
        unit: '×',
        goal: { atMost: 1.05 },
        note:
          `${manyUs.toFixed(1)} and ${fewUs.toFixed(1)} µs a call; rounds ` +
          ratios.map((ratio) => ratio.toFixed(2)).join(', '),
      };
    });
  } finally {
    await partitioned.close();
    await unpartitioned.close();
  }
}

/** Microseconds of the server's processor time per call. */
type CallCost = { readonly reserve: number; readonly capture: number };

async function measureCalls(bench: BenchWallet): Promise<CallCost> {
  const ids: string[] = [];
  const began = bench.processorMs();
  await withCallers(async () => {
    ids.push(await bench.open());
  });
  const reserved = bench.processorMs();
  const next = ids.values();
  await withCallers(async () => {
    const { value } = next.next();
    if (value !== undefined) await bench.settle(value);
  });
  const captured = bench.processorMs();
  return {
    reserve: ((reserved - began) * 1_000) / CALLS,
    capture: ((captured - reserved) * 1_000) / CALLS,
  };
}

async function withCallers(work: () => Promise<void>): Promise<void> {
  let left = CALLS;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
