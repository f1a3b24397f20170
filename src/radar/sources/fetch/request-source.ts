// Makes one conditional request for a source's document. The result is a document, no change, or a
// failure.

import { readCaching } from '../../../kernel/net/http-caching.ts';
import type { NetOutcome, NetRequest, NetResponse } from '../../../kernel/net/net.ts';
import type { Permission, Robots } from '../../../kernel/net/robots.ts';
import type { World } from '../../../kernel/world.ts';
import type { FetchStateRow } from '../../../store/radar/sources/fetch-states.ts';
import type { StoredSource } from '../../../store/radar/sources/sources.ts';
import { type FetchWarning, fetchWarning } from './fetch-warning.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const RESPONSE_MAX_BYTES = 10 * 1024 * 1024;

export type SourceResponse =
  | { readonly kind: 'document'; readonly response: NetResponse }
  | { readonly kind: 'not_modified'; readonly response: NetResponse }
  | { readonly kind: 'gone'; readonly response: NetResponse }
  | {
      readonly kind: 'failed';
      readonly warning: FetchWarning;
      readonly response: NetResponse | null;
    }
  | { readonly kind: 'refused'; readonly warning: FetchWarning };

const acceptHeaders = {
  feed:
    'application/rss+xml, application/atom+xml, application/feed+json, ' +
    'application/xml;q=0.9, */*;q=0.5',
  'web-list': 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5',
  'json-list': 'application/json, */*;q=0.5',
  push: '*/*',
} as const;

export async function requestSource(
  world: World,
  robots: Robots,
  source: Pick<StoredSource, 'kind' | 'url' | 'settings' | 'private_hosts' | 'proxy'>,
  state: Pick<FetchStateRow, 'etag' | 'last_modified'>,
): Promise<SourceResponse> {
  const url = source.url;
  if (url === null) return { kind: 'refused', warning: fetchWarning('no-address') };
  let gapMs = requestGapOf(source.settings);
  if (source.kind === 'web-list') {
    const permission = await robots.isAllowed(url, networkReachOf(source));
    if (!permission.isAllowed) return robotsRefusal(permission, url);
    gapMs = permission.crawlDelayMs;
  }
  const outcome = await world.net.request({
    url,
    headers: {
      accept: acceptHeaders[source.kind],
      ...(state.etag === null ? {} : { 'if-none-match': state.etag }),
      ...(state.last_modified === null ? {} : { 'if-modified-since': state.last_modified }),
    },
    timeoutMs: REQUEST_TIMEOUT_MS,
    maxBytes: RESPONSE_MAX_BYTES,
    ...(gapMs !== null && { gapMs }),
    ...networkReachOf(source),
  });
  return classifyResponse(outcome);
}

/** The private hosts and the proxy of every request for a source. */
export function networkReachOf({
  private_hosts: privateHosts,
  proxy,
}: Pick<StoredSource, 'private_hosts' | 'proxy'>): Pick<NetRequest, 'privateHosts' | 'proxy'> {
  return { privateHosts, ...(proxy !== null && { proxy }) };
}

/** The gap in milliseconds that a feed's host requires (arXiv: 3 s); null means the default. */
function requestGapOf(settings: unknown): number | null {
  const isObject = typeof settings === 'object' && settings !== null;
  const seconds = isObject && 'gapSeconds' in settings ? settings.gapSeconds : null;
  return typeof seconds === 'number' ? seconds * 1_000 : null;
}

/** A robots.txt without a usable response counts as a failed request, which is soon tried again. */
function robotsRefusal(permission: Permission, url: string): SourceResponse {
  const warning = robotsWarning(permission, url);
  return permission.hasNoResponse
    ? { kind: 'failed', warning, response: null }
    : { kind: 'refused', warning };
}

/** The reason why robots.txt does not allow the address. */
export function robotsWarning({ reason, isUnread }: Permission, url: string): FetchWarning {
  const { origin, pathname } = new URL(url);
  return isUnread
    ? fetchWarning('robots-unread', origin, reason)
    : fetchWarning('robots-disallows', pathname);
}

function classifyResponse(outcome: NetOutcome): SourceResponse {
  if (outcome.kind === 'failed') {
    const kind = outcome.reason === 'address_refused' ? 'refused' : 'failed';
    const warning = fetchWarning('net', outcome.reason, outcome.message);
    return kind === 'refused' ? { kind, warning } : { kind, warning, response: null };
  }
  if (outcome.status === 304) return { kind: 'not_modified', response: outcome };
  if (outcome.status === 410) return { kind: 'gone', response: outcome };
  if (outcome.status >= 200 && outcome.status < 300) return { kind: 'document', response: outcome };
  return {
    kind: 'failed',
    warning: fetchWarning('status', String(outcome.status)),
    response: outcome,
  };
}

/** The target of a chain of permanent redirects; null when one of them is temporary. */
export function permanentMove(response: NetResponse): string | null {
  const { redirects } = response;
  const isPermanent = redirects.every((hop) => hop.status === 301 || hop.status === 308);
  return redirects.length > 0 && isPermanent ? response.url : null;
}

export function cachingOf(response: NetResponse | null, now: number) {
  if (response === null) {
    return { etag: null, lastModified: null, freshUntil: null, retryAfterAt: null };
  }
  return readCaching(response.status, response.headers, now);
}
