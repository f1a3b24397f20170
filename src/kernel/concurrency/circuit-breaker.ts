// Circuit breaker of one destination. Consecutive failures open it for a pause, which grows until a
// request succeeds. After the pause, one request at a time is admitted as the probe.
import type { Clock } from '../time/clock.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

export type CircuitBreaker = {
  /** Milliseconds until a request is admitted; 0: now. Starts no probe. */
  waitMs(): number;
  /**
   * Returns `waitMs`, and starts a probe when the circuit is half open. `isProbe`: this request is
   * the probe.
   */
  enter(): { readonly waitMs: number; readonly isProbe: boolean };
  state(): BreakerState;
  recordSuccess(): void;
  /**
   * `isPermanent`: an error such as a wrong key, which opens the circuit at once. Returns true
   * when the number of consecutive failures suffices to open the circuit.
   */
  recordFailure(isPermanent?: boolean): boolean;
  /** The destination requested a pause. */
  pauseFor(ms: number): void;
  /** A request ended without a result, for example because its client disconnected. */
  recordAbandoned(): void;
};

export type CircuitPauses = { readonly firstMs: number; readonly longestMs: number };

const FAILURES_TO_OPEN = 5;
/** A probe without a result expires after this time. */
const PROBE_MS = 60_000;
const PROBE_RETRY_MS = 1_000;

export function openCircuitBreaker(
  clock: Pick<Clock, 'now'>,
  { firstMs, longestMs }: CircuitPauses,
): CircuitBreaker {
  let consecutiveFailures = 0;
  let pauseMs = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  let requestedPauseUntil = Number.NEGATIVE_INFINITY;
  let longestRequestedMs = 0;
  let probedAt: number | null = null;
  // A remaining pause above the maximum means that the clock was set back. The pause then ends.
  const msUntil = (endsAt: number, maxMs: number) => {
    const remainingMs = endsAt - clock.now();
    return remainingMs > maxMs ? 0 : Math.max(0, remainingMs);
  };
  const isOpen = () => msUntil(openUntil, longestMs) > 0;
  const remainingPauseMs = () =>
    Math.max(msUntil(openUntil, longestMs), msUntil(requestedPauseUntil, longestRequestedMs));
  const waitMs = () => {
    const isProbing = probedAt !== null && Math.abs(clock.now() - probedAt) < PROBE_MS;
    return (
      remainingPauseMs() ||
      (consecutiveFailures >= FAILURES_TO_OPEN && isProbing ? PROBE_RETRY_MS : 0)
    );
  };
  return {
    waitMs,
    enter: () => {
      const remainingMs = waitMs();
      const isProbe = remainingMs === 0 && consecutiveFailures >= FAILURES_TO_OPEN;
      if (isProbe) probedAt = clock.now();
      return { waitMs: remainingMs, isProbe };
    },
    state: () => {
      if (remainingPauseMs() > 0) return 'open';
      return consecutiveFailures < FAILURES_TO_OPEN ? 'closed' : 'half_open';
    },
    recordSuccess: () => {
      consecutiveFailures = 0;
      pauseMs = 0;
      openUntil = Number.NEGATIVE_INFINITY;
      probedAt = null;
    },
    recordFailure: (isPermanent = false) => {
      consecutiveFailures += 1;
      probedAt = null;
      const isTripped = consecutiveFailures >= FAILURES_TO_OPEN;
      // Requests that began before the circuit opened do not lengthen its pause.
      if (isOpen() || (!isTripped && !isPermanent)) return isTripped;
      pauseMs = Math.min(longestMs, pauseMs * 2 || firstMs);
      openUntil = clock.now() + pauseMs;
      return isTripped;
    },
    pauseFor: (ms) => {
      requestedPauseUntil = Math.max(requestedPauseUntil, clock.now() + ms);
      longestRequestedMs = Math.max(longestRequestedMs, ms);
      probedAt = null;
    },
    recordAbandoned: () => {
      probedAt = null;
    },
  };
}
