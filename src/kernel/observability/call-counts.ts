// Counts calls and failures of one destination since the start of this process, and averages the
// latency.
import type { Clock } from '../time/clock.ts';

export type CallCounts = {
  readonly calls: number;
  readonly failures: number;
  /** Moving average; null before the first call. */
  readonly latencyMs: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
};

const LATENCY_WEIGHT = 0.2;

export function openCallCounts(clock: Pick<Clock, 'now'>) {
  let counts: CallCounts = {
    calls: 0,
    failures: 0,
    latencyMs: null,
    lastSuccessAt: null,
    lastFailureAt: null,
  };
  return {
    read: (): CallCounts => counts,
    count: (latencyMs: number, isSuccess: boolean): void => {
      const previousMs = counts.latencyMs ?? latencyMs;
      counts = {
        ...counts,
        calls: counts.calls + 1,
        latencyMs: Math.round(previousMs + (latencyMs - previousMs) * LATENCY_WEIGHT),
        ...(isSuccess
          ? { lastSuccessAt: clock.now() }
          : { failures: counts.failures + 1, lastFailureAt: clock.now() }),
      };
    },
  };
}
