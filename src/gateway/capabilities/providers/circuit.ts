// Opens the circuit breaker of a provider, with its kill switch and its counts. A provider that an
// operator switched off receives no requests.
import { openCircuitBreaker } from '../../../kernel/concurrency/circuit-breaker.ts';
import { openCallCounts } from '../../../kernel/observability/call-counts.ts';
import type { ProviderHealth } from '../capability.ts';
import type { ProviderWorld } from '../switches.ts';

export type Circuit = {
  /** Milliseconds until a request is allowed; 0: the request passes now. */
  enter(): number;
  /** The provider responded correctly, also when the requested object does not exist. */
  recordSuccess(latencyMs: number): void;
  recordFailure(latencyMs: number): void;
  /** The provider requested a pause. */
  pauseFor(ms: number): void;
  health(): ProviderHealth;
};

const PAUSES = { firstMs: 30_000, longestMs: 30_000 };
/** Retry delay for a caller while the provider is switched off. */
const OFF_RETRY_MS = 30_000;

export function openCircuit(
  { clock, isOff = () => false }: Pick<ProviderWorld, 'clock' | 'isOff'>,
  name: string,
): Circuit {
  const breaker = openCircuitBreaker(clock, PAUSES);
  const counts = openCallCounts(clock);
  return {
    enter: () => (isOff(name) ? OFF_RETRY_MS : breaker.enter().waitMs),
    recordSuccess: (latencyMs) => {
      counts.count(latencyMs, true);
      breaker.recordSuccess();
    },
    recordFailure: (latencyMs) => {
      counts.count(latencyMs, false);
      breaker.recordFailure();
    },
    pauseFor: breaker.pauseFor,
    health: () => {
      const circuit = isOff(name) ? 'off' : breaker.state();
      return { name, circuit, healthy: circuit === 'closed', ...counts.read() };
    },
  };
}
