// Creates header fields of gateway responses: CORS, and the caller's remaining limits in the
// contract's form of draft-ietf-httpapi-ratelimit-headers-10.
import { shanghaiDay, shanghaiMonth } from '../../kernel/time/calendar.ts';
import type { KnownLimits } from '../calls/admit.ts';

/** Capability contract, "Errors": CORS, without credentials. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Location, ETag, ' +
    'Idempotent-Replayed, Preference-Applied',
} as const;

/** The relay's responses have further headers. Relay contract, 3.6. */
export const relayCorsHeaders = {
  ...corsHeaders,
  'access-control-expose-headers':
    `${corsHeaders['access-control-expose-headers']}, X-Relay-Hold, X-Relay-Price-Version, ` +
    'X-Relay-Charge, X-Relay-Attempts, X-Relay-Receipt, X-Relay-Warning, ' +
    'X-Relay-Upstream-Request-Id, X-Should-Retry',
} as const;

const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, Prefer, If-None-Match';

/** Headers that official client libraries and tracing add to a request. */
const CLIENT_HEADERS =
  /^((x-stainless|x-relay|anthropic|openai|mcp)-[a-z-]{1,40}|x-api-key|traceparent)$/i;

/** `requested` is Access-Control-Request-Headers. Headers of client libraries are allowed. */
export function preflightHeaders(
  allow: string,
  requested: string | undefined,
  cors: Readonly<Record<string, string>> = corsHeaders,
) {
  const requestedHeaders = (requested ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => CLIENT_HEADERS.test(name));
  return {
    ...cors,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': [allowedHeaders, ...requestedHeaders].join(', '),
    'access-control-max-age': '86400',
    allow,
  };
}

/** Empty when no limits of the caller are known. */
export function limitHeaders(knownLimits: KnownLimits, now: number): Record<string, string> {
  const { quotas, quotaUse } = knownLimits;
  if (knownLimits.rate === undefined || quotas === undefined) return {};
  const day = shanghaiDay(now);
  const month = shanghaiMonth(now);
  const secondsOf = (period: typeof day) => Math.round((period.endsAt - period.startsAt) / 1000);
  const { perSecond: rate, burst } = knownLimits.rate.limit;
  const perSecond = Math.max(1, Math.floor(rate));
  const policy = [
    `"key";q=${perSecond};w=1`,
    // The window is the time in which a used burst becomes available again.
    `"burst";q=${burst};w=${Math.max(1, Math.ceil(burst / rate))}`,
    `"day";q=${quotas.day};w=${secondsOf(day)}`,
    `"month";q=${quotas.month};w=${secondsOf(month)}`,
  ];
  // `key` is the sustained rate; `burst` is the number of calls that are allowed at once.
  const remaining = Math.min(perSecond - 1, knownLimits.rate.remaining);
  const rateResetSeconds = Math.ceil(knownLimits.rate.resetMs / 1000);
  const state = [
    `"key";r=${Math.max(0, remaining)};t=${rateResetSeconds}`,
    `"burst";r=${knownLimits.rate.remaining};t=${rateResetSeconds}`,
  ];
  if (quotaUse !== undefined) {
    for (const [name, quota, use] of [
      ['day', quotas.day, quotaUse.day],
      ['month', quotas.month, quotaUse.month],
    ] as const) {
      const resetSeconds = Math.max(1, Math.ceil((use.resetsAt - now) / 1000));
      state.push(`"${name}";r=${Math.max(0, quota - use.used)};t=${resetSeconds}`);
    }
  }
  return { 'ratelimit-policy': policy.join(', '), ratelimit: state.join(', ') };
}
