// Reads posts of YouTube, TikTok and X by oEmbed (oembed.com, section 2.3): title and author of a
// public post without counts. It needs no key; 401, 403 and 404 mean that a post is not public.
import { z } from 'zod';
import { upstreamError } from '../../provider-failures.ts';
import { openProvider } from '../../providers/provider.ts';
import type { SocialConfig } from '../../providers-config.ts';
import type { ProviderWorld } from '../../switches.ts';
import type { PostRef } from '../links/link.ts';
import { mediaOf, type Post, postOf, tagsIn } from '../post.ts';
import type { SocialProvider } from '../social-provider.ts';
import { plainOrNull, text } from '../wire.ts';
import { contentOnlyProvider } from './content-only.ts';

const embed = z.object({
  type: z.string().min(1),
  title: text,
  author_name: text,
  author_url: text,
  html: text,
});

export function openOembed(
  world: ProviderWorld,
  config: Extract<SocialConfig, { kind: 'oembed' }>,
): SocialProvider {
  const { platform } = config;
  const provider = openProvider(world, {
    name: `oembed:${platform}`,
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: {},
    forbiddenMeans: 'absent',
  });
  return contentOnlyProvider(provider, platform, async ({ signal }, ref) => {
    const query = { url: ref.url, format: 'json', omit_script: '1' };
    const response = await provider.read({ path: '/oembed', query, signal }, embed);
    if (response.kind === 'absent') return { kind: 'gone' };
    // YouTube returns 400 for ids that never existed.
    if (response.kind === 'refused' && response.status === 400) return { kind: 'gone' };
    if (response.kind === 'refused')
      return upstreamError(`${provider.name} refused: ${response.status}`);
    return response.kind === 'failed'
      ? response
      : { kind: 'post', post: embeddedPost(ref, response.value) };
  });
}

function embeddedPost(ref: PostRef, embedding: z.output<typeof embed>): Post {
  // X returns the post as a quotation in markup, and the first paragraph is the text.
  const isQuote = ref.platform === 'twitter';
  const quotedText = isQuote ? plainOrNull(firstParagraph(embedding.html ?? '')) : null;
  const title = isQuote ? null : embedding.title;
  const isTitleCaption = ref.platform === 'tiktok';
  return postOf({
    id: ref.id,
    url: ref.url,
    // X's oEmbed contains the text and no media.
    type: isQuote ? 'text' : 'video',
    title: isTitleCaption ? null : title,
    text: isTitleCaption ? title : quotedText,
    author: { name: embedding.author_name, url: embedding.author_url },
    media: isQuote ? [] : mediaOf('video', ref.url),
    tags: isTitleCaption ? tagsIn(title) : tagsIn(quotedText),
  });
}

/** The first paragraph with its tags; null: there is none. */
function firstParagraph(html: string): string | null {
  const start = html.search(/<p\b/);
  const end = start === -1 ? -1 : html.indexOf('</p>', start);
  return end === -1 ? null : html.slice(start, end);
}
