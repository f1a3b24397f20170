// Rate limit of a key: the generic cell rate algorithm (ITU-T I.371). The state is one number, the
// theoretical arrival time. A refusal does not change it, so waiting for the reported time always
// succeeds.

export type RateLimit = {
  /** Requests a second in the long run. */
  readonly perSecond: number;
  /** How many at once after a pause; at least 1. */
  readonly burst: number;
};

export type RateLimitResult = {
  readonly isAllowed: boolean;
  /** How many more would be admitted at this very moment. */
  readonly remaining: number;
  /** Milliseconds until one is admitted; 0 when this one was. */
  readonly waitMs: number;
  /** The key's theoretical arrival time from now on; unchanged by a refusal. */
  readonly arrivesAt: number;
};

// Sums of fractions miss a whole request by a hair: far less than one, far more than rounding.
const HAIR_MS = 1e-6;

/** `arrivesAt`: of the key so far; null before its first request. Epoch ms, fractions included. */
export function takeOne(rate: RateLimit, arrivesAt: number | null, now: number): RateLimitResult {
  const interval = 1000 / rate.perSecond;
  const tolerance = interval * (rate.burst - 1);
  // A clock that was moved back must not lock a key out for as long as it was moved.
  const latest = now + tolerance + interval;
  const before = Math.min(Math.max(arrivesAt ?? now, now), latest);
  const waitMs = before - now - tolerance;
  if (waitMs > HAIR_MS) return { isAllowed: false, remaining: 0, waitMs, arrivesAt: before };
  const after = before + interval;
  const remaining = Math.max(
    0,
    // Epoch milliseconds hold fractions to 0.0003; an interval can be 0.1.
    Math.floor((tolerance - (before - now) + interval / 100) / interval),
  );
  return { isAllowed: true, remaining, waitMs: 0, arrivesAt: after };
}
