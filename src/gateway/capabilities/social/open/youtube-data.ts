// Reads posts from the YouTube Data API v3: `videos.list` for one video, `search.list` for a
// keyword.
import { z } from 'zod';
import { upstreamError } from '../../provider-failures.ts';
import { openProvider } from '../../providers/provider.ts';
import type { SocialConfig } from '../../providers-config.ts';
import type { ProviderWorld } from '../../switches.ts';
import { mediaOf, type Post, postOf } from '../post.ts';
import type { SocialProvider } from '../social-provider.ts';
import { count, text, wireTime } from '../wire.ts';

const snippet = z.object({
  publishedAt: wireTime,
  channelId: text,
  channelTitle: text,
  title: z.string().min(1),
  description: text,
  tags: z.array(z.string()).nullish(),
  defaultLanguage: text,
  defaultAudioLanguage: text,
});

const videos = z.object({
  items: z.array(
    z.object({
      id: z.string().min(1),
      snippet,
      contentDetails: z.object({ duration: text }).nullish(),
      statistics: z.object({ viewCount: count, likeCount: count, commentCount: count }).nullish(),
    }),
  ),
});

const results = z.object({
  items: z.array(z.object({ id: z.object({ videoId: z.string().min(1) }), snippet })),
  nextPageToken: text,
});

type YoutubeFields = {
  readonly id: string;
  readonly snippet: z.output<typeof snippet>;
  readonly seconds: number | null;
  readonly metrics: Partial<Post['metrics']>;
};

export function openYoutubeData(
  world: ProviderWorld,
  config: Extract<SocialConfig, { kind: 'youtube-data' }>,
): SocialProvider {
  const provider = openProvider(world, {
    name: 'youtube-data',
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    // The key is in a header and not in the query, because servers and proxies log queries.
    headers: config.key === undefined ? {} : { 'x-goog-api-key': config.key },
  });
  const refusal = (status: number) => upstreamError(`youtube-data refused with ${status}`);
  return {
    name: 'youtube-data',
    hasContent: (ref) => ref.platform === 'youtube',
    hasSearch: (platform) => platform === 'youtube',
    content: async ({ signal }, { id }) => {
      const query = { part: 'snippet,contentDetails,statistics', id };
      const response = await provider.read({ path: '/youtube/v3/videos', query, signal }, videos);
      if (response.kind === 'absent') return { kind: 'gone' };
      if (response.kind === 'refused') return refusal(response.status);
      if (response.kind === 'failed') return response;
      const [item] = response.value.items;
      if (item === undefined) return { kind: 'gone' };
      const seconds = isoSeconds(item.contentDetails?.duration ?? null);
      const { statistics: counts } = item;
      const metrics = {
        views: counts?.viewCount ?? null,
        likes: counts?.likeCount ?? null,
        comments: counts?.commentCount ?? null,
      };
      return { kind: 'post', post: videoPost({ ...item, seconds, metrics }) };
    },
    search: async ({ signal }, _platform, { keyword, cursor, limit }) => {
      const query = {
        part: 'snippet',
        type: 'video',
        q: keyword,
        maxResults: String(limit),
        ...(cursor !== null && { pageToken: cursor }),
      };
      const response = await provider.read({ path: '/youtube/v3/search', query, signal }, results);
      if (response.kind === 'absent') return refusal(404);
      if (response.kind === 'refused') return refusal(response.status);
      if (response.kind === 'failed') return response;
      const posts = response.value.items.map((item) =>
        videoPost({ id: item.id.videoId, snippet: item.snippet, seconds: null, metrics: {} }),
      );
      return { kind: 'found', posts, next: response.value.nextPageToken };
    },
    health: provider.health,
  };
}

function videoPost({ id, snippet: fields, seconds, metrics }: YoutubeFields): Post {
  const url = `https://www.youtube.com/watch?v=${id}`;
  return postOf({
    id,
    url,
    type: 'video',
    title: fields.title,
    text: fields.description,
    author: {
      id: fields.channelId,
      name: fields.channelTitle,
      url: fields.channelId === null ? null : `https://www.youtube.com/channel/${fields.channelId}`,
    },
    published_at: fields.publishedAt,
    media: mediaOf('video', url, { seconds }),
    metrics,
    tags: fields.tags ?? [],
    language: fields.defaultAudioLanguage ?? fields.defaultLanguage,
  });
}

/** Seconds of an ISO 8601 duration of days, hours, minutes and seconds; null: zero or malformed. */
function isoSeconds(duration: string | null): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration ?? '');
  if (!match) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds || null;
}
