// Cache directives of a response: validators, freshness and Retry-After. RFC 9111 (freshness, by
// http-cache-semantics) and RFC 9110, section 10.2.3 (Retry-After).
import CachePolicy from 'http-cache-semantics';
import { DAY_MS } from '../time/durations.ts';

export type CacheDirectives = {
  /** For If-None-Match, as the server wrote it. */
  readonly etag: string | null;
  /** For If-Modified-Since, as the server wrote it. */
  readonly lastModified: string | null;
  /** Until when the server calls this answer fresh, epoch ms after now; null: it does not say. */
  readonly freshUntil: number | null;
  /** The earliest time of the next request that the server accepts, in epoch ms. */
  readonly retryAfterAt: number | null;
};

// A year of freshness is meant for browsers, and a misconfigured one must not silence a source.
const longestMs = DAY_MS;
const longestValidator = 1_000;

/**
 * `headers` with lower-case names, `now` in epoch milliseconds. A 304 renews its document's
 * freshness; of other answers than 2xx and 304 only Retry-After is read, since what they hold is
 * not the document. Never throws.
 */
export function readCaching(
  status: number,
  headers: Readonly<Record<string, string>>,
  now: number,
): CacheDirectives {
  const isDocument = (status >= 200 && status < 300) || status === 304;
  const validator = (value: string | undefined) => {
    const text = value?.trim() ?? '';
    return isDocument && text !== '' && text.length <= longestValidator ? text : null;
  };
  return {
    etag: validator(headers.etag),
    lastModified: validator(headers['last-modified']),
    freshUntil: isDocument ? freshUntil(headers, now) : null,
    retryAfterAt: retryAfterAt(headers, now),
  };
}

/** Explicit freshness only: guessed from Last-Modified, a quiet source would rest for weeks. */
function freshUntil(headers: Readonly<Record<string, string>>, now: number): number | null {
  // `now` is the library's documented seam, though its type leaves it out.
  class Policy extends CachePolicy {
    now() {
      return now;
    }
  }
  const lowerCased = { 'cache-control': headers['cache-control']?.toLowerCase() };
  const policy = new Policy(
    { url: '/', method: 'GET', headers: {} },
    { status: 200, headers: { ...headers, ...lowerCased } },
    { shared: false, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
  );
  // Not `timeToLive()`, which counts the time a stale answer may be served for as well.
  const freshMs = (policy.maxAge() - policy.age()) * 1_000;
  return freshMs > 0 ? now + Math.min(Math.round(freshMs), longestMs) : null;
}

// The three formats of HTTP-date (RFC 9110, section 5.6.7), the last of which has no zone.
const httpDate = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/;

function retryAfterAt(headers: Readonly<Record<string, string>>, now: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+/.exec(text)?.[0];
  // A date is by the server's own clock, where it shows it: theirs and ours need not agree.
  const theirNow = dateOf(headers.date);
  const delayMs = seconds
    ? Number(seconds) * 1_000
    : dateOf(text) - (Number.isNaN(theirNow) ? now : theirNow);
  return delayMs > 0 ? now + Math.min(delayMs, longestMs) : null;
}

function dateOf(text: string | undefined): number {
  if (text === undefined || !httpDate.test(text)) return Number.NaN;
  return Date.parse(/(GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
}
