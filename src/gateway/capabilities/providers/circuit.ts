// A provider that fails again and again is left alone for a while, and then asked once before it is
// trusted again; one that an operator has switched off is not asked at all. Counted here as well:
// calls, failures, latency.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { CircuitState, ProviderHealth } from '../capability.ts';
import type { ProviderWorld } from '../switches.ts';

export type Circuit = {
  /** Milliseconds until it may be asked again; 0: now, and this asks. */
  enter(): number;
  /** It did its part, also when what was asked for does not exist. */
  succeeded(latencyMs: number): void;
  failed(latencyMs: number): void;
  /** It said itself to stay away. */
  restFor(ms: number): void;
  health(): ProviderHealth;
};

const failuresToOpen = 5;
const openMs = 30_000;
/** After this a trial that has told nothing (its call was aborted) counts no more. */
const probeMs = 60_000;
const latencyWeight = 0.2;

/** How soon whoever meets a switch may ask again. */
const offMs = 30_000;

export function openCircuit(
  { clock, isOff = () => false }: Pick<ProviderWorld, 'clock' | 'isOff'>,
  name: string,
): Circuit {
  let inARow = 0;
  let openUntil = 0;
  let probedAt: number | null = null;
  const seen = {
    ...{ calls: 0, failures: 0, latencyMs: null as number | null },
    ...{ lastSuccessAt: null as number | null, lastFailureAt: null as number | null },
  };
  const measure = (latencyMs: number) => {
    seen.calls += 1;
    const before = seen.latencyMs ?? latencyMs;
    seen.latencyMs = Math.round(before + (latencyMs - before) * latencyWeight);
    probedAt = null;
  };
  const state = (): CircuitState => {
    if (isOff(name)) return 'off';
    if (openUntil > clock.now()) return 'open';
    return inARow < failuresToOpen ? 'closed' : 'half_open';
  };
  return {
    enter: () => {
      if (isOff(name)) return offMs;
      const waitMs = Math.min(openUntil - clock.now(), DAY_MS);
      if (waitMs > 0) return waitMs;
      if (inARow < failuresToOpen) return 0;
      // Half open: one call tries, the others wait for what it finds, unless it is never told.
      if (probedAt !== null && Math.abs(clock.now() - probedAt) < probeMs) return 1_000;
      probedAt = clock.now();
      return 0;
    },
    succeeded: (latencyMs) => {
      measure(latencyMs);
      seen.lastSuccessAt = clock.now();
      inARow = 0;
      openUntil = 0;
    },
    failed: (latencyMs) => {
      measure(latencyMs);
      seen.failures += 1;
      seen.lastFailureAt = clock.now();
      inARow += 1;
      if (inARow >= failuresToOpen) openUntil = clock.now() + openMs;
    },
    restFor: (ms) => {
      openUntil = Math.max(openUntil, clock.now() + ms);
    },
    health: () => {
      const circuit = state();
      return { name, circuit, healthy: circuit === 'closed', ...seen };
    },
  };
}
