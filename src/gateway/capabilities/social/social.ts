// The `social` capability returns one public post from its link, or posts for a keyword, on eleven
// platforms. A search that finds nothing costs nothing.

import type { Capability, Outcome, RunContext } from '../capability.ts';
import { providerFailure } from '../provider-failures.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { readSandboxInput } from '../sandbox-inputs.ts';
import type { ProviderWorld } from '../switches.ts';
import { followLink } from './links/follow-link.ts';
import { decodePosition, encodePosition } from './next-page.ts';
import { postOf } from './post.ts';
import { openSocialChain, type SocialChain } from './social-chain.ts';
import {
  type ContentInput,
  checkSocial,
  linkIn,
  platformIn,
  type SocialInput,
  socialInput,
} from './social-input.ts';

type SearchInput = Extract<SocialInput, { action: 'search' }>;

export function openSocial(
  world: ProviderWorld,
  config: Pick<ProvidersConfig, 'social' | 'links'>,
): Capability<SocialInput> {
  const chain = openSocialChain(world, config.social);
  return {
    id: 'social',
    name: 'Social data',
    method: 'POST',
    key: 'sk',
    isAsync: false,
    path: '/api/v1/capabilities/social',
    input: socialInput,
    check: checkSocial,
    quote: () => ({ sku: 'social_data', unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: async () =>
      config.social.length > 0 ? null : 'Social data needs an entry in providers.social.',
    run: (context, input) =>
      input.action === 'content'
        ? runContent(context, chain, config.links, input)
        : runSearch(context, chain, input),
    sandbox: runSandbox,
    health: chain.health,
  };
}

const notFound = providerFailure(
  'media_unavailable',
  'The post does not exist, or it is deleted or not public.',
);

async function runContent(
  context: RunContext,
  chain: SocialChain,
  links: ProvidersConfig['links'],
  input: ContentInput,
): Promise<Outcome> {
  const link = linkIn(input);
  if (link === null) return notFound;
  const resolvedLink = link.kind === 'short' ? await followLink(context, links, link) : link;
  if (resolvedLink.kind === 'failed') return resolvedLink;
  const { provider, result: outcome } = await chain.content(context, resolvedLink.ref);
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'gone')
    return { ...notFound, internal: `${provider} reports it as deleted` };
  const data = { platform: resolvedLink.ref.platform, post: outcome.post };
  return { kind: 'done', data, quantity: 1 };
}

async function runSearch(
  context: RunContext,
  chain: SocialChain,
  input: SearchInput,
): Promise<Outcome> {
  const platform = platformIn(input);
  const { keyword, page, limit } = input.params;
  const position = page === undefined ? null : decodePosition({ platform, keyword }, page);
  const cursor = position?.cursor ?? null;
  const query = { keyword: keyword.trim(), cursor, limit };
  const result = await chain.search(context, platform, query, position?.provider ?? null);
  const { result: outcome, provider } = result;
  if (outcome.kind === 'failed') return outcome;
  // A provider's page may exceed the requested size; the remaining posts begin the next page.
  const skip = position?.skip ?? 0;
  const posts = outcome.posts.slice(skip, skip + limit);
  const encodeNext = (next: string | null, skipped: number) =>
    encodePosition({ platform, keyword }, { provider, cursor: next, skip: skipped });
  const hasRemainder = outcome.posts.length > skip + limit;
  const followingPage = outcome.next === null ? null : encodeNext(outcome.next, 0);
  const next_page = hasRemainder ? encodeNext(cursor, skip + limit) : followingPage;
  const data = { platform, keyword, posts, next_page };
  return { kind: 'done', data, quantity: posts.length > 0 ? 1 : 0 };
}

async function runSandbox(context: RunContext, input: SocialInput): Promise<Outcome> {
  const platform = platformIn(input);
  const isContent = input.action === 'content';
  const sandboxInput = await readSandboxInput(
    context,
    isContent ? input.params.url : input.params.keyword,
  );
  if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
  const link = isContent ? linkIn(input) : null;
  const postRef = link?.kind === 'post' ? link.ref : { id: '1', url: 'https://example.com/post/1' };
  const post = postOf({
    id: postRef.id,
    url: postRef.url,
    type: 'text',
    title: 'Sandbox post',
    text: 'Nothing was fetched for this post.',
    language: 'en',
    author: { id: 'sandbox', name: 'Sandbox' },
    published_at: '2026-01-01T00:00:00.000Z',
    metrics: { views: 100, likes: 10, comments: 1, shares: 0, favorites: 0 },
  });
  if (isContent && sandboxInput.kind === 'empty') return notFound;
  if (isContent) return { kind: 'done', data: { platform, post }, quantity: 1 };
  const posts = sandboxInput.kind === 'empty' ? [] : [post];
  const { keyword } = input.params;
  const data = { platform, keyword, posts, next_page: null };
  return { kind: 'done', data, quantity: posts.length };
}
