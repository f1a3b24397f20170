// A publisher's response to one request, as a value: status, headers, body. Only this file and
// the renderers apply the publisher's fault.
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import type { Publisher } from '../world/publishers.ts';
import { parseNumber, pathOf } from './addresses.ts';
import type { Profile } from './profiles.ts';
import type { FeedContent } from './render-feed.ts';
import * as feeds from './render-feed.ts';
import * as pages from './render-page.ts';
import type { VisibleEntries } from './visible-entries.ts';

export type PublisherServer = {
  readonly profile: Profile;
  readonly publisher: Publisher;
  readonly visibleEntries: VisibleEntries;
  readonly origin: string;
  /** The world's `now`. Outages are counted from it. */
  readonly worldNow: number;
};

export type PublisherRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  /** Number of this request on this server; the seed of values that differ in every response. */
  readonly count: number;
};

export type PublisherResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function respond(
  site: PublisherServer,
  request: PublisherRequest,
  now: number,
): PublisherResponse {
  const outageEnd = outageEndAt(site, now);
  if (outageEnd !== null) return respondUnavailable(outageEnd, now);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return textResponse(405, 'method not allowed');
  if (request.path === '/robots.txt') return respondWithRobots();
  const { profile } = site;
  const content = readFeedContent(site, now);
  if (profile.fault === 'redirects') {
    if (request.path === profile.path)
      return redirectResponse(301, `${site.origin}/rss/latest.xml`);
    if (request.path.startsWith('/go/')) return respondWithRedirect(site, request.path, now);
    if (request.path === '/rss/latest.xml') return respondWithFeed(site, content, request);
  }
  if (request.path === profile.path) return respondWithFeed(site, content, request);
  if (request.path === '/') return htmlResponse(200, pages.renderList(content));
  if (request.path.startsWith('/archive'))
    return respondWithArchive(site, content, request.path, now);
  return respondWithArticle(site, content, request.path, now);
}

function readFeedContent(site: PublisherServer, now: number): FeedContent {
  const { profile, publisher, origin, visibleEntries } = site;
  return { profile, publisher, origin, latest: visibleEntries.latest(now) };
}

/** The outages of the unreliable server: day relative to the world's `now`, hour and duration. */
const outages = [
  { day: -21, hour: 8, hours: 9 },
  { day: -9, hour: 13, hours: 4 },
  { day: -2, hour: 4, hours: 3 },
  { day: 1, hour: 9, hours: 3 },
] as const;

/** The end of the current outage; null outside of one. */
function outageEndAt(
  site: Pick<PublisherServer, 'profile' | 'worldNow'>,
  now: number,
): number | null {
  if (site.profile.fault !== 'goes-down') return null;
  const today = Math.floor(site.worldNow / DAY_MS);
  for (const { day, hour, hours } of outages) {
    const start = (today + day) * DAY_MS + hour * HOUR_MS;
    const end = start + hours * HOUR_MS;
    if (now >= start && now < end) return end;
  }
  return null;
}

function respondUnavailable(outageEnd: number, now: number): PublisherResponse {
  const seconds = Math.max(1, Math.ceil((outageEnd - now) / 1000));
  const headers = { 'retry-after': String(seconds), 'content-type': 'text/plain' };
  return { status: 503, headers, body: 'Down for maintenance.\n' };
}

function respondWithFeed(
  site: PublisherServer,
  content: FeedContent,
  request: PublisherRequest,
): PublisherResponse {
  const { type, body } = renderFeedContent(content);
  const headers: Record<string, string> = { 'content-type': type };
  const { profile } = site;
  if (profile.fault === 'never-304') {
    headers.etag = `"${request.count}"`;
    headers['cache-control'] = 'no-cache';
    return { status: 200, headers, body };
  }
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
  const changedAt = Math.max(0, ...content.latest.map((visibleEntry) => visibleEntry.changedAt));
  const lastModified = new Date(changedAt).toUTCString();
  if (profile.validators === 'etag' || profile.validators === 'both') headers.etag = etag;
  if (profile.validators === 'last-modified' || profile.validators === 'both') {
    headers['last-modified'] = lastModified;
  }
  return isUnchanged(headers, request)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body };
}

/** RFC 9110, 13.2.2: If-None-Match takes precedence over If-Modified-Since. */
function isUnchanged(
  headers: Readonly<Record<string, string>>,
  request: PublisherRequest,
): boolean {
  if (request.ifNoneMatch !== null) {
    const tags = request.ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return headers.etag !== undefined && tags.includes(headers.etag);
  }
  if (request.ifModifiedSince === null || headers['last-modified'] === undefined) return false;
  return Date.parse(headers['last-modified']) <= Date.parse(request.ifModifiedSince);
}

function renderFeedContent(content: FeedContent): { readonly type: string; readonly body: string } {
  switch (content.profile.format) {
    case 'rss':
      if (content.profile.fault === 'broken-xml') {
        return { type: 'text/xml', body: feeds.renderBrokenRss(content) };
      }
      return { type: 'application/rss+xml', body: feeds.renderRss(content) };
    case 'rdf':
      return { type: 'application/rdf+xml', body: feeds.renderRdf(content) };
    case 'atom':
      return { type: 'application/atom+xml; charset=utf-8', body: feeds.renderAtom(content) };
    case 'json-feed':
      return { type: 'application/feed+json', body: feeds.renderJsonFeed(content) };
    case 'json-list':
      return { type: 'application/json; charset=utf-8', body: feeds.renderJsonList(content) };
    case 'web-list':
      return { type: 'text/html; charset=utf-8', body: pages.renderList(content) };
  }
}

function respondWithRedirect(site: PublisherServer, path: string, now: number): PublisherResponse {
  const visibleEntry = site.visibleEntries.find(parseNumber(path) ?? '', now);
  if (typeof visibleEntry === 'string') return textResponse(404, 'not found');
  return redirectResponse(302, `${site.origin}${pathOf(site.profile, visibleEntry)}`);
}

function respondWithArticle(
  site: PublisherServer,
  content: FeedContent,
  path: string,
  now: number,
): PublisherResponse {
  const number = parseNumber(path);
  if (number === null) return textResponse(404, 'not found');
  const newNumber = site.visibleEntries.newNumberOf(number, now);
  const visibleEntry = site.visibleEntries.find(newNumber ?? number, now);
  if (visibleEntry === 'unknown')
    return htmlResponse(404, '<!doctype html><title>Not found</title>');
  if (visibleEntry === 'gone')
    return htmlResponse(410, '<!doctype html><title>Removed by a moderator</title>');
  if (newNumber !== null)
    return redirectResponse(301, `${site.origin}${pathOf(site.profile, visibleEntry)}`);
  return htmlResponse(200, pages.renderArticle(content, visibleEntry));
}

function respondWithArchive(
  site: PublisherServer,
  content: FeedContent,
  path: string,
  now: number,
): PublisherResponse {
  const page = Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1);
  return htmlResponse(
    200,
    pages.renderArchive(content, site.visibleEntries.all(now), Math.max(1, page)),
  );
}

function respondWithRobots(): PublisherResponse {
  return textResponse(200, 'User-agent: *\nDisallow: /admin/\nAllow: /\n');
}

function redirectResponse(status: 301 | 302, location: string): PublisherResponse {
  return { status, headers: { location, 'content-type': 'text/plain' }, body: '' };
}

function htmlResponse(status: number, body: string): PublisherResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function textResponse(status: number, body: string): PublisherResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
