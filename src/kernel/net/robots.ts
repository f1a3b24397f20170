// Applies robots.txt (RFC 9309). A site without the file allows everything. An unreachable site
// allows nothing for now, unless its last rules are still cached.
import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import type { Clock } from '../time/clock.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import type { Net, NetOutcome, NetRequest } from './net.ts';
import { relevantRobots } from './relevant-robots.ts';

export type Permission = {
  readonly isAllowed: boolean;
  /** The crawl delay of the site, at most a minute; null: it has none. */
  readonly crawlDelayMs: number | null;
  /** One line of text for an operator. */
  readonly reason: string;
  /** No response, or status 429 or 5xx: nothing is allowed until the site serves its rules. */
  readonly hasNoResponse?: true;
  /** The robots.txt could not be read, so nothing is allowed. */
  readonly isUnread?: true;
};

export type Robots = {
  /** Whether `url` (http or https) may be fetched. Rejects only with the reason of `signal`. */
  isAllowed(
    url: string,
    options?: Pick<NetRequest, 'privateHosts' | 'proxy' | 'signal'>,
  ): Promise<Permission>;
};

/**
 * RFC 9309, section 2.4: cached rules are used for at most a day, unless the file is unreachable.
 */
const maxAgeMs = DAY_MS;
/** An unreadable file is requested again after five minutes. */
const retryAfterMs = 5 * MINUTE_MS;
const maxCacheCharacters = 32 << 20;
const timeoutMs = 20_000;
/** Section 2.5: parsers must handle 500 KiB. Later bytes are not read. */
const maxReadBytes = 500 * 1024;
const maxBodyBytes = 8 * maxReadBytes;
const maxCrawlDelayMs = MINUTE_MS;
/** Matching time is proportional to the pattern and the path, and a site chooses both. */
const maxPathLength = 2_048;

// The package's own types describe a default export that it does not have.
const parseRobots = robotsParser as unknown as (
  url: string,
  text: string,
) => {
  isAllowed(url: string, agent: string): boolean | undefined;
  getCrawlDelay(agent: string): number | undefined;
};

type Verdict = (url: URL) => Permission;
type CachedRules = {
  readonly verdict: Verdict;
  /** Epoch milliseconds of the next request of the file. */
  readonly nextRequestAt: number;
  /** Characters of the rules. */
  readonly size: number;
};
type RobotsResult = CachedRules & { readonly hasResponse: boolean };

/** Rules match the product token of `userAgent` ("name" of "name/1.0"). */
export function openRobots(net: Net, clock: Clock, userAgent: string): Robots {
  const agent = (userAgent.split(/[/\s]/)[0] ?? '').toLowerCase();
  const cache = new LRUCache<string, CachedRules>({
    maxSize: maxCacheCharacters,
    sizeCalculation: (entry) => entry.size,
  });
  const pendingRequests = new Map<string, Promise<CachedRules>>();

  const requestRobots = async (
    key: string,
    origin: string,
    { privateHosts = [], proxy }: Pick<NetRequest, 'privateHosts' | 'proxy'>,
  ) => {
    const outcome = await net.request({
      url: `${origin}/robots.txt`,
      headers: { accept: 'text/plain, */*;q=0.5' },
      timeoutMs,
      maxBytes: maxBodyBytes,
      maxRedirects: 5,
      privateHosts,
      ...(proxy !== undefined && { proxy }),
    });
    const response = toCachedRules(outcome, { origin, agent, now: clock.now() });
    const previousRules = cache.get(key);
    const cachedRules =
      response.hasResponse || previousRules === undefined
        ? response
        : { ...previousRules, nextRequestAt: response.nextRequestAt };
    cache.set(key, cachedRules);
    return cachedRules;
  };

  return {
    isAllowed: async (text, options = {}) => {
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol)) return forbidden('not an http(s) URL');
      if (url.pathname === '/robots.txt') return permitted('robots.txt itself');
      const privateHosts = options.privateHosts ?? [];
      // Requests with different permissions for private hosts get separate cache entries.
      const key = JSON.stringify([url.origin, options.proxy ?? '', ...privateHosts.toSorted()]);
      const cached = cache.get(key);
      if (cached && isCurrent(cached, clock.now())) return cached.verdict(url);
      const pendingRequest =
        pendingRequests.get(key) ??
        requestRobots(key, url.origin, options).finally(() => pendingRequests.delete(key));
      pendingRequests.set(key, pendingRequest);
      return (await rejectWhenAborted(pendingRequest, options.signal)).verdict(url);
    },
  };
}

/** False also when the clock was set back: rules that are cached too long are requested again. */
function isCurrent(cachedRules: CachedRules, now: number): boolean {
  return now < cachedRules.nextRequestAt && cachedRules.nextRequestAt - now <= maxAgeMs;
}

function toCachedRules(
  outcome: NetOutcome,
  { origin, agent, now }: { readonly origin: string; readonly agent: string; readonly now: number },
): RobotsResult {
  const toResult = (verdict: Verdict, size = 1): RobotsResult => {
    return { verdict, size, nextRequestAt: now + maxAgeMs, hasResponse: true };
  };
  const isAddressRefused = outcome.kind === 'failed' && outcome.reason === 'address_refused';
  const toUnreadableResult = (problem: string): RobotsResult => {
    const reason = `robots.txt of ${origin} cannot be read: ${problem}`;
    const refusal: Permission = { ...forbidden(reason), isUnread: true };
    const permission: Permission = isAddressRefused ? refusal : { ...refusal, hasNoResponse: true };
    return {
      verdict: () => permission,
      size: 1,
      nextRequestAt: now + retryAfterMs,
      hasResponse: false,
    };
  };
  if (outcome.kind === 'failed') {
    // Section 2.3.1.2: too many redirects count as a missing file.
    return outcome.reason === 'redirects'
      ? toResult(() => permitted('robots.txt redirects too often'))
      : toUnreadableResult(outcome.message);
  }
  const { status } = outcome;
  // Section 2.3.1.4. Status 429 is treated like a server error and not as a missing file.
  if (status >= 500 || status === 429) return toUnreadableResult(`status ${status}`);
  if (status < 200 || status >= 300) return toResult(() => permitted(`no robots.txt (${status})`));
  const text = new TextDecoder().decode(outcome.body.subarray(0, maxReadBytes));
  const rules = relevantRobots(text, agent);
  return toResult(toVerdict(origin, agent, rules), rules.length + 1);
}

function toVerdict(origin: string, agent: string, rules: string): Verdict {
  const robots = parseRobots(`${origin}/robots.txt`, rules);
  const seconds = robots.getCrawlDelay(agent);
  const crawlDelayMs =
    seconds !== undefined && seconds > 0 ? Math.min(seconds * 1_000, maxCrawlDelayMs) : null;
  return (url) => {
    const path = (url.pathname + url.search).slice(0, maxPathLength);
    const allowed = robots.isAllowed(origin + path, agent) ?? true;
    const reason = `robots.txt ${allowed ? 'allows' : 'disallows'} ${url.pathname}`;
    return { isAllowed: allowed, crawlDelayMs, reason };
  };
}

const permitted = (reason: string): Permission => ({ isAllowed: true, crawlDelayMs: null, reason });
const forbidden = (reason: string): Permission => ({
  isAllowed: false,
  crawlDelayMs: null,
  reason,
});

/** The shared fetch continues for other callers. */
function rejectWhenAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
