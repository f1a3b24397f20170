// Tracks the health of one upstream: a circuit breaker per model, requested retry delays, and the
// state of the operator's account there. Relay contract, 3.2: failures that a caller can cause do
// not count.
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import {
  type BreakerState,
  type CircuitBreaker,
  openCircuitBreaker,
} from '../../../kernel/concurrency/circuit-breaker.ts';
import { type CallCounts, openCallCounts } from '../../../kernel/observability/call-counts.ts';
import type { Clock } from '../../../kernel/time/clock.ts';

/** The report of an upstream, with the fields of the providers' reports. */
export type UpstreamReport = CallCounts & {
  readonly name: string;
  readonly circuit: BreakerState | 'off';
  readonly healthy: boolean;
  /** The operator's account was refused, and no call has succeeded since. */
  readonly isAccountRefused: boolean;
};

export type UpstreamHealth = {
  /** `model`: the upstream's own id. */
  modelOf(model: string): ModelCircuit;
  /** Blocks all models of this upstream for `ms`, because it refuses the operator's account. */
  blockAccount(ms: number): void;
  /**
   * The operator's account may be refused. The upstream is blocked after refusals for several
   * accounts of the gateway without a success in between. A single caller therefore cannot cause
   * the block.
   */
  suspectAccount(callersAccount: string, ms: number): void;
  /** True when the upstream reports `reported` for `model` for the first time. */
  noteReportedModel(model: string, reported: string): boolean;
  health(): UpstreamReport;
};

export type ModelCircuit = {
  /** Milliseconds until the model may be used; 0: now. `isProbe`: the circuit is half open. */
  enter(): { readonly waitMs: number; readonly isProbe: boolean };
  /** True when `enter` would return a wait of 0. Starts no probe. */
  isUsable(): boolean;
  recordSuccess(latencyMs: number): void;
  recordFailure(latencyMs: number): void;
  /** Other calls of this model skip the upstream for this time. */
  skipFor(ms: number): void;
  /** A call ended without a result, for example because its client disconnected. */
  recordAbandoned(): void;
};

const PAUSES = { firstMs: 5_000, longestMs: 20_000 };
const OFF_RETRY_MS = 30_000;
/** An upstream without a model list accepts any name, so old entries are deleted. */
const MODELS_MAX = 1_000;
const MIN_SUSPECTING_ACCOUNTS = 3;

type HealthOptions = { readonly name: string; readonly isOff: () => boolean };

export function openUpstreamHealth(clock: Clock, { name, isOff }: HealthOptions): UpstreamHealth {
  const models = openBoundedCache<CircuitBreaker>(MODELS_MAX);
  /** Models whose circuit is not closed. */
  const openBreakers = new Map<string, CircuitBreaker>();
  const counts = openCallCounts(clock);
  let blockedUntil = 0;
  let isAccountRefused = false;
  const block = (ms: number) => {
    blockedUntil = clock.now() + ms;
    isAccountRefused = true;
  };
  const suspectingAccounts = new Set<string>();
  const reports = openBoundedCache<true>(MODELS_MAX);
  const breakerOf = (model: string): CircuitBreaker => {
    const existing = openBreakers.get(model) ?? models.get(model);
    if (existing !== undefined) return existing;
    const breaker = openCircuitBreaker(clock, PAUSES);
    models.set(model, breaker);
    return breaker;
  };
  const circuit = (): UpstreamReport['circuit'] => {
    if (isOff()) return 'off';
    if (blockedUntil > clock.now()) return 'open';
    if (openBreakers.size === 0) return 'closed';
    return openBreakers.values().some((breaker) => breaker.state() === 'open')
      ? 'open'
      : 'half_open';
  };
  return {
    blockAccount: block,
    noteReportedModel: (model, reported) => {
      const pair = `${model}\n${reported}`;
      if (reports.get(pair) !== undefined) return false;
      reports.set(pair, true);
      return true;
    },
    suspectAccount: (callersAccount, ms) => {
      suspectingAccounts.add(callersAccount);
      if (suspectingAccounts.size < MIN_SUSPECTING_ACCOUNTS) return;
      suspectingAccounts.clear();
      block(ms);
    },
    health: () => {
      const state = circuit();
      const isHealthy = state === 'closed';
      return { name, circuit: state, healthy: isHealthy, isAccountRefused, ...counts.read() };
    },
    modelOf: (model) => {
      const breaker = breakerOf(model);
      const remainingBlockMs = () => Math.max(0, blockedUntil - clock.now());
      return {
        isUsable: () => !isOff() && remainingBlockMs() === 0 && breaker.waitMs() === 0,
        enter: () => {
          if (isOff()) return { waitMs: OFF_RETRY_MS, isProbe: false };
          const blockedMs = remainingBlockMs();
          if (blockedMs === 0) return breaker.enter();
          return { waitMs: Math.max(blockedMs, breaker.waitMs()), isProbe: false };
        },
        recordSuccess: (latencyMs) => {
          counts.count(latencyMs, true);
          breaker.recordSuccess();
          openBreakers.delete(model);
          suspectingAccounts.clear();
          isAccountRefused = false;
        },
        recordFailure: (latencyMs) => {
          counts.count(latencyMs, false);
          if (breaker.recordFailure()) openBreakers.set(model, breaker);
        },
        skipFor: breaker.pauseFor,
        recordAbandoned: breaker.recordAbandoned,
      };
    },
  };
}
