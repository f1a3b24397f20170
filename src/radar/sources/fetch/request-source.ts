// One polite, conditional request for a source's document, and what its answer means for reading:
// a document, nothing new, or a failure that leaves the position where it was.

import { readCaching } from '../../../kernel/net/http-caching.ts';
import type { NetOutcome, NetResponse } from '../../../kernel/net/net.ts';
import type { Permission, Robots } from '../../../kernel/net/robots.ts';
import type { World } from '../../../kernel/world.ts';
import type { ReadingPosition } from '../../../store/radar/sources/fetch-states.ts';
import type { Source } from '../../../store/radar/sources/sources.ts';
import { type Note, note } from './fetch-warning.ts';

const READ_TIMEOUT_MS = 30_000;
const READ_MAX_BYTES = 10 * 1024 * 1024;

export type Fetched =
  | { readonly kind: 'document'; readonly response: NetResponse }
  | { readonly kind: 'not_modified'; readonly response: NetResponse }
  | { readonly kind: 'gone'; readonly response: NetResponse }
  | { readonly kind: 'failed'; readonly note: Note; readonly response: NetResponse | null }
  | { readonly kind: 'refused'; readonly note: Note };

const accept = {
  feed:
    'application/rss+xml, application/atom+xml, application/feed+json, ' +
    'application/xml;q=0.9, */*;q=0.5',
  'web-list': 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5',
  'json-list': 'application/json, */*;q=0.5',
  push: '*/*',
} as const;

export async function fetchSource(
  world: World,
  robots: Robots,
  source: Pick<Source, 'kind' | 'url' | 'private_hosts'>,
  position: Pick<ReadingPosition, 'etag' | 'last_modified'>,
): Promise<Fetched> {
  const url = source.url;
  if (url === null) return { kind: 'refused', note: note('no-address') };
  let gapMs: number | null = null;
  if (source.kind === 'web-list') {
    const permission = await robots.isAllowed(url, { privateHosts: source.private_hosts });
    if (!permission.allowed) return refusalOf(permission, url);
    gapMs = permission.crawlDelayMs;
  }
  const outcome = await world.net.request({
    url,
    headers: {
      accept: accept[source.kind],
      ...(position.etag === null ? {} : { 'if-none-match': position.etag }),
      ...(position.last_modified === null ? {} : { 'if-modified-since': position.last_modified }),
    },
    timeoutMs: READ_TIMEOUT_MS,
    maxBytes: READ_MAX_BYTES,
    ...(gapMs !== null && { gapMs }),
    privateHosts: source.private_hosts,
  });
  return meaningOf(outcome);
}

/** A site that could not be asked has not refused: it is asked again as soon as any other. */
function refusalOf(permission: Permission, url: string): Fetched {
  const what = robotsNote(permission, url);
  return permission.isUnanswered
    ? { kind: 'failed', note: what, response: null }
    : { kind: 'refused', note: what };
}

/** Why a site's robots.txt does not let that address be read. */
export function robotsNote({ reason, isUnread }: Permission, url: string): Note {
  const { origin, pathname } = new URL(url);
  return isUnread ? note('robots-unread', origin, reason) : note('robots-disallows', pathname);
}

function meaningOf(outcome: NetOutcome): Fetched {
  if (outcome.kind === 'failed') {
    const kind = outcome.reason === 'address_refused' ? 'refused' : 'failed';
    const what = note('net', outcome.reason, outcome.message);
    return kind === 'refused' ? { kind, note: what } : { kind, note: what, response: null };
  }
  if (outcome.status === 304) return { kind: 'not_modified', response: outcome };
  if (outcome.status === 410) return { kind: 'gone', response: outcome };
  if (outcome.status >= 200 && outcome.status < 300) return { kind: 'document', response: outcome };
  return { kind: 'failed', note: note('status', String(outcome.status)), response: outcome };
}

/** Where the source says it has moved for good; null when any hop was only for now. */
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
