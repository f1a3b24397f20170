// Reads the cache directives of a response: validators, freshness (RFC 9111, by
// http-cache-semantics) and Retry-After (RFC 9110, section 10.2.3).
import CachePolicy from 'http-cache-semantics';
import { retryAfterMs } from '../http/retry-after.ts';
import { DAY_MS } from '../time/durations.ts';

export type CacheDirectives = {
  /** Value for If-None-Match, as the server wrote it. */
  readonly etag: string | null;
  /** Value for If-Modified-Since, as the server wrote it. */
  readonly lastModified: string | null;
  /**
   * End of the response's freshness in epoch milliseconds, after `now`. Null: the server does not
   * state it.
   */
  readonly freshUntil: number | null;
  /** The earliest time of the next request that the server accepts, in epoch ms. */
  readonly retryAfterAt: number | null;
};

// Limits freshness to a day. Some servers state a year for browsers; the source would then not be
// fetched for a year.
const maxFreshMs = DAY_MS;
const maxValidatorLength = 1_000;

/**
 * `headers` have lower-case names, `now` is in epoch milliseconds. A 304 renews the freshness of
 * its document. For statuses other than 2xx and 304, only Retry-After is read. Never throws.
 */
export function readCaching(
  status: number,
  headers: Readonly<Record<string, string>>,
  now: number,
): CacheDirectives {
  const isDocument = (status >= 200 && status < 300) || status === 304;
  const toValidator = (value: string | undefined) => {
    const text = value?.trim() ?? '';
    return isDocument && text !== '' && text.length <= maxValidatorLength ? text : null;
  };
  const delayMs = retryAfterMs(headers, now, maxFreshMs);
  return {
    etag: toValidator(headers.etag),
    lastModified: toValidator(headers['last-modified']),
    freshUntil: isDocument ? freshUntilOf(headers, now) : null,
    retryAfterAt: delayMs ? now + delayMs : null,
  };
}

/**
 * Only explicit freshness counts. An estimate from Last-Modified would pause a rarely updated
 * source for weeks.
 */
function freshUntilOf(headers: Readonly<Record<string, string>>, now: number): number | null {
  // `now` is documented by the library but missing in its type.
  class Policy extends CachePolicy {
    now() {
      return now;
    }
  }
  const response = { 'cache-control': headers['cache-control']?.toLowerCase() };
  const policy = new Policy(
    { url: '/', method: 'GET', headers: {} },
    { status: 200, headers: { ...headers, ...response } },
    { shared: false, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
  );
  // `timeToLive()` would include the time during which a stale response may be served.
  const freshMs = (policy.maxAge() - policy.age()) * 1_000;
  return freshMs > 0 ? now + Math.min(Math.round(freshMs), maxFreshMs) : null;
}
