// Resolves a short link to its post, one redirect at a time. Only hosts of the eleven platforms are
// requested. The first URL of a post ends the search. Only the header `Location` is used.
import type { ProviderFailure, RunContext } from '../../capability.ts';
import { providerFailure, upstreamError } from '../../provider-failures.ts';
import type { ProvidersConfig } from '../../providers-config.ts';
import type { PlatformId } from '../platforms.ts';
import type { Link, PostRef } from './link.ts';
import { readUrl } from './read-link.ts';

export type ResolvedLink = { readonly kind: 'post'; readonly ref: PostRef } | ProviderFailure;

const maxHops = 5;
const missingPostMessage = 'The link leads to no post of this platform.';

export async function followLink(
  { world, signal }: Pick<RunContext, 'world' | 'signal'>,
  config: ProvidersConfig['links'],
  link: Extract<Link, { kind: 'short' }>,
): Promise<ResolvedLink> {
  let url = new URL(link.url);
  for (let hop = 0; hop < maxHops; hop += 1) {
    const target = addressOf(url, config.hosts);
    const outcome = await world.net.request({
      url: target.url,
      timeoutMs: config.timeoutMs,
      maxBytes: 512 * 1024,
      maxRedirects: 0,
      isPolite: false,
      privateHosts: target.privateHosts,
      signal,
    });
    signal.throwIfAborted();
    if (outcome.kind === 'failed') {
      const internal = `short link at ${url.host}: ${outcome.message}`;
      return outcome.reason === 'timeout'
        ? providerFailure('upstream_timeout', 'The short link did not answer in time.', internal)
        : upstreamError(internal);
    }
    const { location } = outcome.headers;
    if (outcome.status < 300 || outcome.status > 399 || location === undefined) {
      if (outcome.status >= 500) return upstreamError(`${url.host} answered ${outcome.status}`);
      return providerFailure(
        'media_unavailable',
        missingPostMessage,
        `${url.host} answered ${outcome.status}`,
      );
    }
    const nextUrl = URL.parse(location, url.href);
    const nextLink = nextUrl && /^https?:$/.test(nextUrl.protocol) ? readUrl(nextUrl) : null;
    const resolvedLink = resultOf(nextLink, link.platform);
    if (resolvedLink !== null) return resolvedLink;
    if (nextUrl) url = nextUrl;
  }
  return providerFailure('media_unavailable', missingPostMessage, 'too many redirects');
}

/** Null: the address is another redirect. */
function resultOf(link: Link | null, platform: PlatformId): ResolvedLink | null {
  if (link === null)
    return providerFailure('media_unavailable', missingPostMessage, 'it leads to another host');
  if (link.kind === 'short') return null;
  if (link.kind === 'other')
    return providerFailure('media_unavailable', missingPostMessage, 'it leads to no post');
  if (link.ref.platform === platform) return link;
  return providerFailure(
    'media_unavailable',
    `The link leads to ${link.ref.platform}, not to ${platform}.`,
  );
}

/** A configured host replaces the real one: a mirror, or the demonstration's server. */
function addressOf(url: URL, hosts: Readonly<Record<string, string>>) {
  const mirrorUrl = hosts[url.hostname];
  if (mirrorUrl === undefined) return { url: url.href, privateHosts: [] };
  return {
    url: `${mirrorUrl}${url.pathname}${url.search}`,
    privateHosts: [new URL(mirrorUrl).host],
  };
}
