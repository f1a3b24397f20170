// Measures many callers of one wallet, against pgbench's transaction with as many clients. Each
// round runs all variants one after the other and compares them. The result is the median of the
// rounds.
import { type BenchRow, median } from '../row.ts';
import type { BenchWallet } from './bench-wallet.ts';
import type { Pgbench } from './pgbench.ts';

export type RoundPlan = { readonly seconds: number; readonly rounds: number };

const kinds = ['reserve', 'capture', 'charge'] as const;
type Kind = (typeof kinds)[number];

type ConcurrencySpec = {
  readonly callers: number;
  /** Target for reserves and captures, as a multiple of pgbench. */
  readonly goal: number;
  readonly plan: RoundPlan;
};

export async function benchConcurrentCallers(
  bench: BenchWallet,
  pgbench: Pgbench,
  { callers, goal, plan }: ConcurrencySpec,
): Promise<BenchRow[]> {
  const rounds: (Record<Kind, number> & { tpcb: number })[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const tpcb = await pgbench.measureTpcb(callers, plan.seconds);
    const openCalls: string[] = [];
    const reserve = await measureRate(callers, plan.seconds, async () => {
      openCalls.push(await bench.authorizeCall());
    });
    const nextCalls = openCalls.values();
    const capture = await measureRate(callers, 4 * plan.seconds, async () => {
      const nextCall = nextCalls.next();
      if (nextCall.done) return 'over';
      await bench.captureCall(nextCall.value);
    });
    const charge = await measureRate(callers, plan.seconds, async () =>
      bench.captureCall(await bench.authorizeCall()),
    );
    rounds.push({ tpcb, reserve, capture, charge });
  }
  return kinds.map((kind) => {
    const ratios = rounds.map((round) => round[kind] / round.tpcb);
    const [ledgerRates, pgbenchRates] = [
      rounds.map((round) => round[kind]),
      rounds.map(({ tpcb }) => tpcb),
    ];
    return {
      name: `one hot wallet, ${callers} callers: ${kind} against pgbench's transaction`,
      value: median(ratios),
      unit: '×',
      ...(kind !== 'charge' && { goal: { atLeast: goal } }),
      note:
        `${thousands(median(ledgerRates))} and ${thousands(median(pgbenchRates))} a second, ` +
        'fsync on; ' +
        `rounds ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}`,
    };
  });
}

/**
 * Completed `work` calls per second of all callers together. Each caller runs one call at a time. A
 * caller ends early when `work` returns `over`.
 */
export async function measureRate(
  callers: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1_000;
  let completed = 0;
  const caller = async () => {
    while (performance.now() < end && (await work()) !== 'over') completed += 1;
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (completed / (performance.now() - start)) * 1_000;
}

const thousands = (value: number) => `${(value / 1_000).toFixed(1)}k`;
