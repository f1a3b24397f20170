// Implements `net.ts`. Every outgoing request of the application uses this function, and each hop
// is checked again. See docs/decisions/0003.

import { messageOf } from '../errors/fault.ts';
import type { Clock } from '../time/clock.ts';
import { acceptEncoding, decodeContentCoding } from './content-coding.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { RawResponse } from './exchange.ts';
import type { Net, NetFailure, NetOutcome, NetRedirect, NetRequest, NetResponse } from './net.ts';
import { openPoliteness } from './politeness.ts';
import { type PrivateHosts, parsePrivateHosts } from './private-hosts.ts';
import { type Hop, type NextHop, nextHop } from './redirects.ts';
import { type Lookup, systemLookup } from './resolve-host.ts';
import { type Rules, runTimedExchange } from './timed-exchange.ts';

export type NetOptions = {
  readonly clock: Clock;
  /** Private hosts that requests may reach: `name`, `address`, `host:port`, `network/prefix`. */
  readonly privateHosts: readonly string[];
  /**
   * The gap between two request starts at one host, unless the request has a `gapMs`; 0: no gap.
   */
  readonly politenessMs: number;
  /** Maximum concurrent exchanges with one host; 2 when absent. */
  readonly perHostConcurrency?: number;
  /** Maximum wait of a request in queues, over all hops; 300,000 ms when absent. */
  readonly maxWaitMs?: number;
  readonly userAgent: string;
  /** Name resolution; the system's when absent. */
  readonly lookup?: Lookup;
  /** The default proxy of requests; absent: a direct connection. */
  readonly proxy?: EgressProxy | null;
  /** Proxies that requests can name. */
  readonly proxies?: Readonly<Record<string, EgressProxy>>;
};

/** Throws an Error for `privateHosts` that cannot be parsed. */
export function openNet(options: NetOptions): Net {
  const closing = new AbortController();
  const egress: EgressContext = {
    ...options,
    lookup: options.lookup ?? systemLookup,
    allowedPrivateHosts: parsePrivateHosts(options.privateHosts),
    maxWaitMs: options.maxWaitMs ?? 300_000,
    politeness: openPoliteness(options.clock, options.perHostConcurrency ?? 2, closing.signal),
    closing: closing.signal,
    proxy: options.proxy ?? null,
    proxies: options.proxies ?? {},
  };
  const pendingRequests = new Set<Promise<NetOutcome>>();
  return {
    request: (request) => {
      const outcome = runRequest(egress, request).catch((error) =>
        failedRequest('protocol', messageOf(error), 0),
      );
      pendingRequests.add(outcome);
      return outcome.finally(() => pendingRequests.delete(outcome));
    },
    close: async () => {
      closing.abort();
      await Promise.all(pendingRequests);
    },
  };
}

type EgressContext = Rules & {
  readonly userAgent: string;
  readonly maxWaitMs: number;
  readonly proxies: Readonly<Record<string, EgressProxy>>;
};

type Failure = Pick<NetFailure, 'reason' | 'message'>;

async function runRequest(egress: EgressContext, request: NetRequest): Promise<NetOutcome> {
  const maxRedirects = request.maxRedirects ?? 5;
  const redirects: NetRedirect[] = [];
  const visitedUrls = new Set<string>();
  const timeBudget = { exchangeMs: request.timeoutMs, waitMs: egress.maxWaitMs, spentMs: 0 };
  const fail = ({ reason, message }: Failure) => {
    const requestLine = `${request.method ?? 'GET'} ${withoutQuery(request.url)}`;
    const redirectPath = redirects.map((redirect) => ` → ${withoutQuery(redirect.to)}`).join('');
    return failedRequest(reason, `${requestLine}${redirectPath}: ${message}`, timeBudget.spentMs);
  };

  const firstHop = toFirstHop(egress, request);
  if ('reason' in firstHop) return fail(firstHop);
  const proxy = selectProxy(egress, request.proxy);
  if (proxy === undefined) {
    return fail({ reason: 'connect', message: `there is no proxy called ${request.proxy}` });
  }
  const rules: Rules = { ...egress, allowedPrivateHosts: firstHop.allowedPrivateHosts, proxy };
  let { hop } = firstHop;
  for (;;) {
    visitedUrls.add(`${hop.method} ${withoutFragment(hop.url)}`);
    const skipsRedirects = maxRedirects > 0;
    const outcome = await runTimedExchange(rules, { hop, request, skipsRedirects }, timeBudget);
    if (outcome.kind === 'failed') return fail(outcome);
    const next: NextHop = skipsRedirects
      ? nextHop(hop, outcome.status, outcome.headers.location)
      : { kind: 'no_redirect' };
    if (next.kind === 'refused') return fail({ reason: 'redirects', message: next.message });
    if (next.kind === 'no_redirect') {
      const response = await finishExchange(hop, outcome, request.maxBytes);
      if ('reason' in response) return fail(response);
      return { ...response, redirects, durationMs: timeBudget.spentMs };
    }
    redirects.push({ from: hop.url.href, to: next.hop.url.href, status: outcome.status });
    if (redirects.length > maxRedirects) {
      return fail({ reason: 'redirects', message: `more than ${maxRedirects} redirects` });
    }
    hop = next.hop;
    if (visitedUrls.has(`${hop.method} ${withoutFragment(hop.url)}`)) {
      return fail({ reason: 'redirects', message: 'the redirects form a loop' });
    }
  }
}

/** Undefined: the request names a proxy that is not configured. */
function selectProxy(
  { proxy, proxies }: Pick<EgressContext, 'proxy' | 'proxies'>,
  name: string | undefined,
): EgressProxy | null | undefined {
  if (name === undefined) return proxy;
  return name === 'none' ? null : proxies[name];
}

type AllowedHop = { readonly hop: Hop; readonly allowedPrivateHosts: PrivateHosts };

function toFirstHop(egress: EgressContext, request: NetRequest): AllowedHop | Failure {
  const refuse = (message: string): Failure => ({ reason: 'invalid_url', message });
  const url = URL.parse(request.url);
  if (url === null) return refuse('not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse(`${url.protocol} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') return refuse('the URL carries credentials');
  const headers: Record<string, string> = {
    'user-agent': egress.userAgent,
    accept: '*/*',
    'accept-encoding': acceptEncoding,
    ...request.headers,
  };
  const hop = { url, method: request.method ?? 'GET', headers, body: request.body ?? null };
  if (!request.privateHosts?.length)
    return { hop, allowedPrivateHosts: egress.allowedPrivateHosts };
  try {
    return {
      hop,
      allowedPrivateHosts: mergePrivateHosts(
        egress.allowedPrivateHosts,
        parsePrivateHosts(request.privateHosts),
      ),
    };
  } catch (error) {
    return { reason: 'address_refused', message: messageOf(error) };
  }
}

async function finishExchange(
  hop: Hop,
  response: RawResponse,
  maxBytes: number,
): Promise<Omit<NetResponse, 'redirects' | 'durationMs'> | Failure> {
  const decoded = await decodeContentCoding(
    response.wire,
    response.headers['content-encoding'],
    maxBytes,
  );
  if (decoded.kind === 'failed') return decoded;
  return {
    kind: 'response',
    status: response.status,
    headers: response.headers,
    body: decoded.body,
    wireBytes: response.wire.length,
    url: hop.url.href,
  };
}

function mergePrivateHosts(first: PrivateHosts, second: PrivateHosts): PrivateHosts {
  return {
    isHostAllowed: (name, port) =>
      first.isHostAllowed(name, port) || second.isHostAllowed(name, port),
    isAddressAllowed: (address) =>
      first.isAddressAllowed(address) || second.isAddressAllowed(address),
  };
}

function failedRequest(
  reason: NetFailure['reason'],
  message: string,
  durationMs: number,
): NetFailure {
  return { kind: 'failed', reason, message, durationMs };
}

/** The address without its query, for messages, because a query may contain a key. */
function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : '(unreadable URL)';
}

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length);
}
