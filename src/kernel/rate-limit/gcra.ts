// Rate limit of a key: the generic cell rate algorithm (ITU-T I.371). The state is one number, the
// theoretical arrival time. A refusal does not change it, so waiting for the reported time always
// succeeds.

export type RateLimit = {
  /** Requests per second in the long run. */
  readonly perSecond: number;
  /** Requests at once after a pause; at least 1. */
  readonly burst: number;
};

export type RateLimitResult = {
  readonly isAllowed: boolean;
  /** Further requests that would be allowed now. */
  readonly remaining: number;
  /** Milliseconds until a request is allowed; 0 when this one was. */
  readonly waitMs: number;
  /** The key's new theoretical arrival time; unchanged by a refusal. */
  readonly arrivesAt: number;
};

// Corrects rounding: sums of fractions can miss a whole request by a tiny amount.
const ROUNDING_TOLERANCE_MS = 1e-6;

/**
 * `arrivesAt` is the key's stored state in epoch ms with fractions; null before its first request.
 */
export function takeOne(rate: RateLimit, arrivesAt: number | null, now: number): RateLimitResult {
  const interval = 1000 / rate.perSecond;
  const tolerance = interval * (rate.burst - 1);
  // A clock that was set back must not lock a key out for the difference.
  const latest = now + tolerance + interval;
  const before = Math.min(Math.max(arrivesAt ?? now, now), latest);
  const waitMs = before - now - tolerance;
  if (waitMs > ROUNDING_TOLERANCE_MS)
    return { isAllowed: false, remaining: 0, waitMs, arrivesAt: before };
  const after = before + interval;
  const remaining = Math.max(
    0,
    // Epoch milliseconds hold fractions to 0.0003; an interval can be 0.1.
    Math.floor((tolerance - (before - now) + interval / 100) / interval),
  );
  return { isAllowed: true, remaining, waitMs: 0, arrivesAt: after };
}
