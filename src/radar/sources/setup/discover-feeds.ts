// Feed discovery for the address of any site: the declared feeds of its page; if it has none, the
// usual paths that robots.txt allows. It makes at most eight requests, in sequence. The caller
// chooses among the candidates.
import type { NetOutcome } from '../../../kernel/net/net.ts';
import type { Robots } from '../../../kernel/net/robots.ts';
import { readTokens } from '../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../kernel/text/text.ts';
import type { World } from '../../../kernel/world.ts';
import { type FetchWarning, fetchWarning } from '../fetch/fetch-warning.ts';
import { robotsWarning } from '../fetch/request-source.ts';
import { decodeText } from '../parse/decode-text.ts';
import type { ParsedFeed } from '../parse/entry.ts';
import { readFeed } from '../parse/feed/read-feed.ts';

export type FeedCandidate = {
  readonly url: string;
  /** The title that the page declares or the feed has; null when neither has one. */
  readonly title: string | null;
};

/** A requested address, and the reason why it is not a feed. */
export type FailedAttempt = { readonly url: string; readonly warning: FetchWarning };

export type DiscoverResult =
  /** The address itself is a feed. */
  | { readonly kind: 'feed'; readonly url: string; readonly feed: ParsedFeed }
  /** At least one. Feeds that the page declares are in the order of the page. */
  | { readonly kind: 'candidates'; readonly candidates: readonly FeedCandidate[] }
  | { readonly kind: 'failed'; readonly tried: readonly FailedAttempt[] };

export type DiscoverDeps = {
  readonly world: World;
  readonly robots: Robots;
  /** As in `NetRequest`. */
  readonly privateHosts: readonly string[];
};

const usualPaths = [
  '/feed',
  '/rss',
  '/feed.xml',
  '/rss.xml',
  '/atom.xml',
  '/index.xml',
  '/feed.json',
] as const;

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const CANDIDATES_MAX = 20;
const TITLE_MAX = 120;
const feedTypes = /^(?:application\/(?:rss|atom|rdf|feed)\+(?:xml|json)|application\/rdf\+xml)\b/i;
const accept =
  'application/rss+xml, application/atom+xml, application/feed+json, text/html;q=0.9, */*;q=0.5';

type DiscoveredDocument =
  | { readonly kind: 'feed'; readonly url: string; readonly feed: ParsedFeed }
  | { readonly kind: 'page'; readonly url: string; readonly declared: readonly FeedCandidate[] }
  | { readonly kind: 'failed'; readonly attempt: FailedAttempt };

export async function discoverFeeds(deps: DiscoverDeps, url: string): Promise<DiscoverResult> {
  // The first address may be a feed. As in a fetch, robots.txt does not apply to a feed.
  const firstDocument = await requestAddress(deps, url, null);
  if (firstDocument.kind === 'feed') return firstDocument;
  if (firstDocument.kind === 'failed') return { kind: 'failed', tried: [firstDocument.attempt] };
  if (firstDocument.declared.length > 0)
    return { kind: 'candidates', candidates: firstDocument.declared };
  const failures: FailedAttempt[] = [{ url, warning: fetchWarning('feed-page') }];
  const candidates: FeedCandidate[] = [];
  const foundUrls = new Set<string>();
  for (const path of usualPaths) {
    const address = new URL(path, firstDocument.url).href;
    const addressResult = await requestIfAllowed(deps, address);
    if (addressResult.kind === 'feed') {
      // Several paths of a site often return the same feed.
      if (!foundUrls.has(addressResult.url))
        candidates.push({ url: addressResult.url, title: addressResult.feed.title });
      foundUrls.add(addressResult.url);
      continue;
    }
    const warning =
      addressResult.kind === 'page' ? fetchWarning('feed-page') : addressResult.attempt.warning;
    failures.push({ url: address, warning });
  }
  return candidates.length > 0
    ? { kind: 'candidates', candidates }
    : { kind: 'failed', tried: failures };
}

async function requestIfAllowed(deps: DiscoverDeps, url: string): Promise<DiscoveredDocument> {
  const permission = await deps.robots.isAllowed(url, { privateHosts: deps.privateHosts });
  if (permission.isAllowed) return requestAddress(deps, url, permission.crawlDelayMs);
  return { kind: 'failed', attempt: { url, warning: robotsWarning(permission, url) } };
}

async function requestAddress(
  { world, privateHosts }: DiscoverDeps,
  url: string,
  gapMs: number | null,
): Promise<DiscoveredDocument> {
  const failedDocument = (warning: FetchWarning): DiscoveredDocument => ({
    kind: 'failed',
    attempt: { url, warning },
  });
  const outcome = await world.net.request({
    url,
    headers: { accept },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    privateHosts,
    ...(gapMs !== null && { gapMs }),
  });
  const problem = problemOf(outcome);
  if (problem !== null || outcome.kind === 'failed') {
    return failedDocument(problem ?? fetchWarning('feed-none'));
  }
  const contentType = outcome.headers['content-type'] ?? null;
  const parsed = readFeed(outcome.body, { url: outcome.url, contentType });
  if (parsed.kind === 'read') return { kind: 'feed', url: outcome.url, feed: parsed.feed };
  const declared = [
    ...linkHeaderFeeds(outcome.headers.link ?? '', outcome.url),
    ...pageFeeds(decodeText(outcome.body, contentType).text, outcome.url),
  ];
  if (declared.length === 0 && parsed.warning.code !== 'feed-page')
    return failedDocument(parsed.warning);
  return { kind: 'page', url: outcome.url, declared: removeDuplicates(declared) };
}

function problemOf(outcome: NetOutcome): FetchWarning | null {
  if (outcome.kind === 'failed') return fetchWarning('net', outcome.reason, outcome.message);
  if (outcome.status === 410) return fetchWarning('gone');
  return outcome.status >= 200 && outcome.status < 300
    ? null
    : fetchWarning('status', String(outcome.status));
}

function removeDuplicates(candidates: readonly FeedCandidate[]): readonly FeedCandidate[] {
  const byUrl = new Map<string, FeedCandidate>();
  for (const candidate of candidates) {
    if (!byUrl.has(candidate.url)) byUrl.set(candidate.url, candidate);
  }
  return [...byUrl.values()].slice(0, CANDIDATES_MAX);
}

/** RFC 8288: `<url>; rel="alternate"; type="application/rss+xml"; title="…"`, comma-separated. */
function linkHeaderFeeds(header: string, base: string): readonly FeedCandidate[] {
  const candidates: FeedCandidate[] = [];
  for (const [, target = '', fields = ''] of header
    .slice(0, 16_000)
    .matchAll(/<([^>]*)>((?:\s*;\s*[\w*!#-]+\s*(?:=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g)) {
    const matchField = (name: string) =>
      new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;,"]+))`, 'i').exec(fields);
    const fieldOf = (name: string) => matchField(name)?.[1] ?? matchField(name)?.[2] ?? '';
    const candidate = candidateOf(target, base, fieldOf);
    if (candidate !== null) candidates.push(candidate);
  }
  return candidates;
}

function pageFeeds(text: string, base: string): readonly FeedCandidate[] {
  const candidates: FeedCandidate[] = [];
  for (const token of readTokens(text.slice(0, 300_000))) {
    if (token.kind !== 'open' || !/^(?:link|a)$/i.test(token.name)) continue;
    const fields = new Map(token.attributes.map(([name, value]) => [name.toLowerCase(), value]));
    const fieldOf = (name: string) => resolveEntities(fields.get(name) ?? '');
    const candidate = candidateOf(fieldOf('href'), base, fieldOf);
    if (candidate !== null) candidates.push(candidate);
  }
  return candidates;
}

/** `fieldOf`: the value of a field of the link; empty when it is absent. */
function candidateOf(
  href: string,
  base: string,
  fieldOf: (name: string) => string,
): FeedCandidate | null {
  const isAlternate = /(?:^|\s)(?:alternate|feed)(?:\s|$)/i.test(fieldOf('rel'));
  const url = URL.parse(href.trim(), base);
  if (!isAlternate || !feedTypes.test(fieldOf('type')) || url === null) return null;
  if (!/^https?:$/.test(url.protocol) || url.username !== '') return null;
  url.hash = '';
  const text = fieldOf('title').replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_MAX);
  return { url: url.href, title: text === '' ? null : text };
}
