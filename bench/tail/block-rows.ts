// Formats the recorded blocks of a process's event loop as rows of a benchmark.
import type { BenchRow } from '../row.ts';
import type { BlockReport } from './record-blocks.ts';

/** One row for each cause of blocks, and one for the time without a processor. */
export function blockRows(
  name: string,
  { rows, seconds, busyMs, waitedMs }: BlockReport,
): readonly BenchRow[] {
  const share = (ms: number) => `${((ms / (seconds * 1_000)) * 100).toFixed(1)} %`;
  return [
    ...rows
      .toSorted((a, b) => b.maxMs - a.maxMs)
      .map(({ cause, count, p50Ms, p99Ms, maxMs, totalMs }) => ({
        name: `${name}: blocks, ${cause}: longest`,
        value: maxMs,
        unit: 'ms',
        note:
          `${count} blocks; p50 ${p50Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)} ms; ` +
          `${share(totalMs)} of the time`,
      })),
    {
      name: `${name}: the serving thread was ready without a processor`,
      value: waitedMs / seconds,
      unit: 'ms/s',
      note: `on the processor ${share(busyMs)} of the time`,
    },
  ];
}
