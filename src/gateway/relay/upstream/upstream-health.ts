// Health of one upstream: a circuit breaker per model, requested retry delays, and the state of the
// operator's account there. Relay contract, 3.2: failures that a caller can cause do not count.
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import type { Clock } from '../../../kernel/time/clock.ts';

type CircuitState = 'closed' | 'open' | 'half_open' | 'off';

/** The report of an upstream, in the form of providers' reports. */
export type UpstreamReport = {
  readonly name: string;
  readonly circuit: CircuitState;
  readonly healthy: boolean;
  readonly calls: number;
  readonly failures: number;
  readonly latencyMs: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** The operator's account was refused, and nothing has succeeded since. */
  readonly isAccountRefused: boolean;
};

export type UpstreamHealth = {
  /** `model`: the upstream's own id. */
  modelOf(model: string): ModelCircuit;
  /** The operator's account is refused: no model of this upstream is used for this time. */
  blockAccount(ms: number): void;
  /**
   * The operator's account may be refused. It is blocked once callers of several accounts here have
   * seen that without any success between, so that one caller alone cannot provoke it.
   */
  suspectAccount(callersAccount: string, ms: number): void;
  /** True when the upstream reports `reported` for `model` for the first time. */
  noteReported(model: string, reported: string): boolean;
  health(): UpstreamReport;
};

export type ModelCircuit = {
  /** Milliseconds until the model may be used; 0: now. `isProbe`: the circuit is half open. */
  enter(): { readonly waitMs: number; readonly isProbe: boolean };
  /** True while a call would not be refused by `enter`. Starts no probe. */
  isUsable(): boolean;
  succeeded(latencyMs: number): void;
  failed(latencyMs: number): void;
  /** Other calls of this model skip the upstream for this time. */
  skipFor(ms: number): void;
  /** A call ended without a result, for example because its client disconnected. */
  abandoned(): void;
};

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 5_000;
const OPEN_MAX_MS = 20_000;
const PROBE_RETRY_MS = 1_000;
const OFF_RETRY_MS = 30_000;
const LATENCY_WEIGHT = 0.2;
/** An upstream without a model list accepts any name, so old entries are deleted. */
const MODELS_MAX = 1_000;
const SUSPECTING_ACCOUNTS = 3;

type ModelState = {
  failuresInARow: number;
  openMs: number;
  openUntil: number;
  skipUntil: number;
  isProbing: boolean;
};

type HealthOptions = { readonly name: string; readonly isOff: () => boolean };

export function openUpstreamHealth(clock: Clock, { name, isOff }: HealthOptions): UpstreamHealth {
  const models = openBoundedCache<ModelState>(MODELS_MAX);
  /** Models whose circuit is not closed. */
  const open = new Map<string, ModelState>();
  const totals = openTotals(clock);
  let blockedUntil = 0;
  let isAccountRefused = false;
  const block = (ms: number) => {
    blockedUntil = clock.now() + ms;
    isAccountRefused = true;
  };
  const suspecting = new Set<string>();
  const reports = openBoundedCache<true>(MODELS_MAX);
  const stateOf = (model: string): ModelState => {
    const known = open.get(model) ?? models.get(model);
    if (known !== undefined) return known;
    const state = { failuresInARow: 0, openMs: 0, openUntil: 0, skipUntil: 0, isProbing: false };
    models.set(model, state);
    return state;
  };
  const circuit = (): CircuitState => {
    if (isOff()) return 'off';
    if (blockedUntil > clock.now()) return 'open';
    if (open.size === 0) return 'closed';
    return open.values().some(({ openUntil }) => openUntil > clock.now()) ? 'open' : 'half_open';
  };
  return {
    blockAccount: block,
    noteReported: (model, reported) => {
      const pair = `${model}\n${reported}`;
      if (reports.get(pair) !== undefined) return false;
      reports.set(pair, true);
      return true;
    },
    suspectAccount: (callersAccount, ms) => {
      suspecting.add(callersAccount);
      if (suspecting.size < SUSPECTING_ACCOUNTS) return;
      suspecting.clear();
      block(ms);
    },
    health: () => {
      const state = circuit();
      const isHealthy = state === 'closed';
      return { name, circuit: state, healthy: isHealthy, isAccountRefused, ...totals.read() };
    },
    modelOf: (model) => {
      const state = stateOf(model);
      const isBlockedFor = () => Math.max(0, blockedUntil - clock.now());
      return openModelCircuit(clock, state, {
        isOff,
        isBlockedFor,
        succeeded: (latencyMs) => {
          totals.count(latencyMs, true);
          open.delete(model);
          suspecting.clear();
          isAccountRefused = false;
        },
        failed: (latencyMs) => totals.count(latencyMs, false),
        opened: () => open.set(model, state),
      });
    },
  };
}

type CircuitParts = {
  readonly isOff: () => boolean;
  readonly isBlockedFor: () => number;
  readonly succeeded: (latencyMs: number) => void;
  readonly failed: (latencyMs: number) => void;
  readonly opened: () => void;
};

function openModelCircuit(clock: Clock, state: ModelState, parts: CircuitParts): ModelCircuit {
  const isOpen = () => state.failuresInARow >= FAILURES_TO_OPEN;
  const waitOf = ({ skipUntil, openUntil }: ModelState) =>
    Math.max(parts.isBlockedFor(), Math.max(skipUntil, openUntil) - clock.now());
  return {
    isUsable: () => !parts.isOff() && waitOf(state) <= 0 && !(isOpen() && state.isProbing),
    enter: () => {
      if (parts.isOff()) return { waitMs: OFF_RETRY_MS, isProbe: false };
      const waitMs = Math.max(0, waitOf(state));
      if (waitMs > 0 || !isOpen()) return { waitMs, isProbe: false };
      if (state.isProbing) return { waitMs: PROBE_RETRY_MS, isProbe: false };
      state.isProbing = true;
      return { waitMs: 0, isProbe: true };
    },
    succeeded: (latencyMs) => {
      parts.succeeded(latencyMs);
      Object.assign(state, { failuresInARow: 0, openMs: 0, openUntil: 0, isProbing: false });
    },
    failed: (latencyMs) => {
      parts.failed(latencyMs);
      state.failuresInARow += 1;
      state.isProbing = false;
      // Calls that began before the circuit opened do not lengthen its time.
      if (!isOpen() || state.openUntil > clock.now()) return;
      state.openMs = Math.min(OPEN_MAX_MS, state.openMs * 2 || OPEN_MS);
      state.openUntil = clock.now() + state.openMs;
      parts.opened();
    },
    skipFor: (ms) => {
      state.skipUntil = Math.max(state.skipUntil, clock.now() + ms);
      state.isProbing = false;
    },
    abandoned: () => {
      state.isProbing = false;
    },
  };
}

/** Counted since the start of this process. */
function openTotals(clock: Clock) {
  let calls = 0;
  let failures = 0;
  let latencyMs: number | null = null;
  let lastSuccessAt: number | null = null;
  let lastFailureAt: number | null = null;
  return {
    read: () => ({ calls, failures, latencyMs, lastSuccessAt, lastFailureAt }),
    count: (ms: number, isSuccess: boolean) => {
      calls += 1;
      latencyMs = Math.round((latencyMs ?? ms) * (1 - LATENCY_WEIGHT) + ms * LATENCY_WEIGHT);
      if (isSuccess) lastSuccessAt = clock.now();
      else {
        failures += 1;
        lastFailureAt = clock.now();
      }
    },
  };
}
