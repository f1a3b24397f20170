// Health of one upstream: a circuit breaker per model, rests that the upstream asked for, and the
// operator's account at it. Relay contract, 3.2: failures that a caller can cause never count.
import { openRecent } from '../../../kernel/concurrency/bounded-cache.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { CircuitState, ProviderHealth } from '../../capabilities/capability.ts';

export type UpstreamHealth = {
  /** `model`: the upstream's own id. */
  modelOf(model: string): ModelCircuit;
  /** The operator's account is refused: no model of this upstream is used for so long. */
  blockAccount(ms: number): void;
  health(): ProviderHealth;
};

export type ModelCircuit = {
  /** Milliseconds until the model may be used; 0: now. `isProbe`: the circuit is half open. */
  enter(): { readonly waitMs: number; readonly isProbe: boolean };
  /** True while a call would not be refused by `enter`. Starts no probe. */
  isUsable(): boolean;
  succeeded(latencyMs: number): void;
  failed(latencyMs: number): void;
  /** Other calls of this model skip the upstream for so long. */
  skipFor(ms: number): void;
  /** A call ended without a result, such as one that its client left. */
  abandoned(): void;
};

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 5_000;
const OPEN_MAX_MS = 20_000;
const PROBE_RETRY_MS = 1_000;
const OFF_RETRY_MS = 30_000;
const LATENCY_WEIGHT = 0.2;
/** While an upstream lists no models, a caller names any: old ones are forgotten. */
const MODELS_MAX = 1_000;

type ModelState = {
  failuresInARow: number;
  openMs: number;
  openUntil: number;
  skipUntil: number;
  isProbing: boolean;
};

type HealthOptions = { readonly name: string; readonly isOff: () => boolean };

export function openUpstreamHealth(clock: Clock, { name, isOff }: HealthOptions): UpstreamHealth {
  const models = openRecent<ModelState>(MODELS_MAX);
  let blockedUntil = 0;
  /** The models that do not answer now, by id; a model that answers again is removed. */
  const open = new Map<string, ModelState>();
  let calls = 0;
  let failures = 0;
  let latency: number | null = null;
  let lastSuccessAt: number | null = null;
  let lastFailureAt: number | null = null;
  const measure = (latencyMs: number) => {
    calls += 1;
    latency = Math.round(
      (latency ?? latencyMs) * (1 - LATENCY_WEIGHT) + latencyMs * LATENCY_WEIGHT,
    );
  };
  const stateOf = (model: string): ModelState => {
    const known = open.get(model) ?? models.get(model);
    if (known !== undefined) return known;
    const state = { failuresInARow: 0, openMs: 0, openUntil: 0, skipUntil: 0, isProbing: false };
    models.set(model, state);
    return state;
  };
  const waitOf = ({ skipUntil, openUntil }: ModelState) =>
    Math.max(0, Math.max(blockedUntil, skipUntil, openUntil) - clock.now());
  const circuit = (): CircuitState => {
    if (isOff()) return 'off';
    if (blockedUntil > clock.now()) return 'open';
    if (open.size === 0) return 'closed';
    return open.values().some(({ openUntil }) => openUntil > clock.now()) ? 'open' : 'half_open';
  };
  return {
    blockAccount: (ms) => {
      blockedUntil = clock.now() + ms;
    },
    health: () => {
      const state = circuit();
      const healthy = state === 'closed';
      const counts = { calls, failures, latencyMs: latency, lastSuccessAt, lastFailureAt };
      return { name, circuit: state, healthy, ...counts };
    },
    modelOf: (model) => {
      const state = stateOf(model);
      const isOpen = () => state.failuresInARow >= FAILURES_TO_OPEN;
      return {
        isUsable: () => !isOff() && waitOf(state) === 0 && !(isOpen() && state.isProbing),
        enter: () => {
          if (isOff()) return { waitMs: OFF_RETRY_MS, isProbe: false };
          const waitMs = waitOf(state);
          if (waitMs > 0 || !isOpen()) return { waitMs, isProbe: false };
          if (state.isProbing) return { waitMs: PROBE_RETRY_MS, isProbe: false };
          state.isProbing = true;
          return { waitMs: 0, isProbe: true };
        },
        succeeded: (latencyMs) => {
          measure(latencyMs);
          lastSuccessAt = clock.now();
          state.failuresInARow = 0;
          state.openMs = 0;
          state.openUntil = 0;
          state.isProbing = false;
          open.delete(model);
        },
        failed: (latencyMs) => {
          measure(latencyMs);
          failures += 1;
          lastFailureAt = clock.now();
          state.failuresInARow += 1;
          state.isProbing = false;
          // Calls that began before the circuit opened do not lengthen its time.
          if (!isOpen() || state.openUntil > clock.now()) return;
          state.openMs = Math.min(OPEN_MAX_MS, state.openMs * 2 || OPEN_MS);
          state.openUntil = clock.now() + state.openMs;
          open.set(model, state);
        },
        skipFor: (ms) => {
          state.skipUntil = Math.max(state.skipUntil, clock.now() + ms);
          state.isProbing = false;
        },
        abandoned: () => {
          state.isProbing = false;
        },
      };
    },
  };
}
