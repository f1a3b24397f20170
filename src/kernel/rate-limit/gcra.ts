// Limits the request rate of a key by the generic cell rate algorithm (ITU-T I.371). The state is
// one number, the theoretical arrival time. A refusal does not change the state, so waiting for the
// reported time always succeeds.

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
  /** Milliseconds until a request is allowed; 0 when this request was allowed. */
  readonly waitMs: number;
  /** The key's new theoretical arrival time; unchanged by a refusal. */
  readonly arrivesAt: number;
};

// Corrects rounding, because a sum of fractions can be slightly smaller than a whole request.
const ROUNDING_TOLERANCE_MS = 1e-6;

/**
 * `arrivesAt` is the key's stored state in epoch ms with fractions; null before its first request.
 */
export const takeOne = (rate: RateLimit, arrivesAt: number | null, now: number): RateLimitResult =>
  takeSeveral(rate, { count: 1, arrivesAt, now });

type Arrival = {
  /** Requests that are allowed or refused together; at most the burst. */
  readonly count: number;
  readonly arrivesAt: number | null;
  readonly now: number;
};

export function takeSeveral(rate: RateLimit, { count, arrivesAt, now }: Arrival): RateLimitResult {
  const intervalMs = 1000 / rate.perSecond;
  const toleranceMs = intervalMs * (rate.burst - count);
  // A clock that was set back must not block a key for the difference.
  const latest = now + intervalMs * rate.burst;
  const arrivalBefore = Math.min(Math.max(arrivesAt ?? now, now), latest);
  const waitMs = arrivalBefore - now - toleranceMs;
  if (waitMs > ROUNDING_TOLERANCE_MS)
    return { isAllowed: false, remaining: 0, waitMs, arrivesAt: arrivalBefore };
  const arrivalAfter = arrivalBefore + intervalMs * count;
  const remaining = Math.max(
    0,
    // Epoch times have a precision of 0.0003 ms, and an interval can be as short as 0.1 ms.
    Math.floor((toleranceMs - (arrivalBefore - now) + intervalMs / 100) / intervalMs),
  );
  return { isAllowed: true, remaining, waitMs: 0, arrivesAt: arrivalAfter };
}
