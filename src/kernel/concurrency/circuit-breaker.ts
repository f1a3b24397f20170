// Circuit breaker of one destination. Consecutive failures open it for a pause, which grows until a
// request succeeds. After the pause, one request at a time is admitted as the probe.
import type { Clock } from '../time/clock.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

export type CircuitBreaker = {
  /** Milliseconds until a request is admitted; 0: now. Starts no probe. */
  waitMs(): number;
  /** As `waitMs`. `isProbe`: this request is the probe of a half-open circuit. */
  enter(): { readonly waitMs: number; readonly isProbe: boolean };
  state(): BreakerState;
  succeeded(): void;
  /**
   * `isFinal`: a permanent error such as a wrong key, which opens the circuit at once. True when
   * consecutive failures keep the circuit from being closed.
   */
  failed(isFinal?: boolean): boolean;
  /** The destination requested a pause. */
  restFor(ms: number): void;
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
  let failures = 0;
  let pauseMs = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  let restUntil = Number.NEGATIVE_INFINITY;
  let longestRestMs = 0;
  let probedAt: number | null = null;
  // A remaining pause above the maximum means that the clock was set back. The pause then ends.
  const msUntil = (time: number, longest: number) => {
    const ms = time - clock.now();
    return ms > longest ? 0 : Math.max(0, ms);
  };
  const isOpen = () => msUntil(openUntil, longestMs) > 0;
  const pausedMs = () => Math.max(msUntil(openUntil, longestMs), msUntil(restUntil, longestRestMs));
  const waitMs = () => {
    const isProbing = probedAt !== null && Math.abs(clock.now() - probedAt) < PROBE_MS;
    return pausedMs() || (failures >= FAILURES_TO_OPEN && isProbing ? PROBE_RETRY_MS : 0);
  };
  return {
    waitMs,
    enter: () => {
      const ms = waitMs();
      const isProbe = ms === 0 && failures >= FAILURES_TO_OPEN;
      if (isProbe) probedAt = clock.now();
      return { waitMs: ms, isProbe };
    },
    state: () => {
      if (pausedMs() > 0) return 'open';
      return failures < FAILURES_TO_OPEN ? 'closed' : 'half_open';
    },
    succeeded: () => {
      failures = 0;
      pauseMs = 0;
      openUntil = Number.NEGATIVE_INFINITY;
      probedAt = null;
    },
    failed: (isFinal = false) => {
      failures += 1;
      probedAt = null;
      const isTripped = failures >= FAILURES_TO_OPEN;
      // Requests that began before the circuit opened do not lengthen its pause.
      if (isOpen() || (!isTripped && !isFinal)) return isTripped;
      pauseMs = Math.min(longestMs, pauseMs * 2 || firstMs);
      openUntil = clock.now() + pauseMs;
      return isTripped;
    },
    restFor: (ms) => {
      restUntil = Math.max(restUntil, clock.now() + ms);
      longestRestMs = Math.max(longestRestMs, ms);
      probedAt = null;
    },
    recordAbandoned: () => {
      probedAt = null;
    },
  };
}
