// Circuit breaker of a provider. After repeated failures it opens for a while, then allows one
// trial. A provider that an operator disabled receives no requests. It also counts calls, failures
// and latency.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { CircuitState, ProviderHealth } from '../capability.ts';
import type { ProviderWorld } from '../switches.ts';

export type Circuit = {
  /** Milliseconds until a request is allowed; 0: the request passes now. */
  enter(): number;
  /** The provider responded correctly, also when the requested object does not exist. */
  succeeded(latencyMs: number): void;
  failed(latencyMs: number): void;
  /** The provider requested a pause. */
  restFor(ms: number): void;
  health(): ProviderHealth;
};

const failuresToOpen = 5;
const openMs = 30_000;
/** A trial without a result, because its call was aborted, expires after this time. */
const probeMs = 60_000;
const latencyWeight = 0.2;

/** Retry delay for a caller that meets a kill switch. */
const offMs = 30_000;

export function openCircuit(
  { clock, isOff = () => false }: Pick<ProviderWorld, 'clock' | 'isOff'>,
  name: string,
): Circuit {
  let consecutiveFailures = 0;
  let openUntil = 0;
  let probedAt: number | null = null;
  const counts = {
    calls: 0,
    failures: 0,
    latencyMs: null as number | null,
    lastSuccessAt: null as number | null,
    lastFailureAt: null as number | null,
  };
  const measure = (latencyMs: number) => {
    counts.calls += 1;
    const before = counts.latencyMs ?? latencyMs;
    counts.latencyMs = Math.round(before + (latencyMs - before) * latencyWeight);
    probedAt = null;
  };
  const state = (): CircuitState => {
    if (isOff(name)) return 'off';
    if (openUntil > clock.now()) return 'open';
    return consecutiveFailures < failuresToOpen ? 'closed' : 'half_open';
  };
  return {
    enter: () => {
      if (isOff(name)) return offMs;
      const waitMs = Math.min(openUntil - clock.now(), DAY_MS);
      if (waitMs > 0) return waitMs;
      if (consecutiveFailures < failuresToOpen) return 0;
      // Half open: one trial runs; others wait for its result or its expiry.
      if (probedAt !== null && Math.abs(clock.now() - probedAt) < probeMs) return 1_000;
      probedAt = clock.now();
      return 0;
    },
    succeeded: (latencyMs) => {
      measure(latencyMs);
      counts.lastSuccessAt = clock.now();
      consecutiveFailures = 0;
      openUntil = 0;
    },
    failed: (latencyMs) => {
      measure(latencyMs);
      counts.failures += 1;
      counts.lastFailureAt = clock.now();
      consecutiveFailures += 1;
      if (consecutiveFailures >= failuresToOpen) openUntil = clock.now() + openMs;
    },
    restFor: (ms) => {
      openUntil = Math.max(openUntil, clock.now() + ms);
    },
    health: () => {
      const circuit = state();
      return { name, circuit, healthy: circuit === 'closed', ...counts };
    },
  };
}
