// Parses videos of YouTube: the player's response for one video, and the provider's own list for a
// search.
import { z } from 'zod';
import { mediaOf, type Post, postOf } from '../post.ts';
import { clockTime, count, id, measure, text, wireTime } from '../wire.ts';
import type { TikhubPlatform } from './platform.ts';

const watchUrl = (videoId: string) => `https://www.youtube.com/watch?v=${videoId}`;
const channelUrl = (channelId: string | null) =>
  channelId === null ? null : `https://www.youtube.com/channel/${channelId}`;

const player = z
  .object({
    playabilityStatus: z.object({ status: z.string() }),
    videoDetails: z
      .object({
        videoId: id,
        title: text,
        shortDescription: text,
        author: text,
        channelId: text,
        lengthSeconds: measure,
        viewCount: count,
        keywords: z.array(z.string()).nullish(),
      })
      .nullish(),
    microformat: z
      .object({
        playerMicroformatRenderer: z.object({ publishDate: wireTime, likeCount: count }).nullish(),
      })
      .nullish(),
  })
  .transform(({ videoDetails, microformat }): Post | null => {
    // For a deleted, private or members-only video the player gives a reason and no details.
    if (!videoDetails) return null;
    const videoFacts = microformat?.playerMicroformatRenderer;
    const url = watchUrl(videoDetails.videoId);
    return postOf({
      id: videoDetails.videoId,
      url,
      type: 'video',
      title: videoDetails.title,
      text: videoDetails.shortDescription,
      author: {
        id: videoDetails.channelId,
        name: videoDetails.author,
        url: channelUrl(videoDetails.channelId),
      },
      published_at: videoFacts?.publishDate ?? null,
      media: mediaOf('video', url, { seconds: videoDetails.lengthSeconds }),
      metrics: { views: videoDetails.viewCount, likes: videoFacts?.likeCount ?? null },
      tags: videoDetails.keywords ?? [],
    });
  });

const result = z
  .object({
    video_id: id,
    title: text,
    description: text,
    author: text,
    channel_id: text,
    number_of_views: count,
    video_length: clockTime,
    keywords: z.array(z.string()).nullish(),
  })
  .transform((item): Post => {
    const url = watchUrl(item.video_id);
    return postOf({
      id: item.video_id,
      url,
      type: 'video',
      title: item.title,
      text: item.description,
      author: { id: item.channel_id, name: item.author, url: channelUrl(item.channel_id) },
      media: mediaOf('video', url, { seconds: item.video_length }),
      metrics: { views: item.number_of_views },
      tags: item.keywords ?? [],
    });
  });

export const youtube: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/youtube/web/get_video_info_v3',
    query: { video_id: ref.id },
  }),
  postSchema: player,
  searchRequest: ({ keyword, cursor }) => ({
    path: '/youtube/web/search_video',
    query: { search_query: keyword, ...(cursor !== null && { continuation_token: cursor }) },
  }),
  pageSchema: () =>
    z
      .object({ videos: z.array(result), continuation_token: text })
      .transform(({ videos, continuation_token }) => ({
        posts: videos,
        next: videos.length === 0 ? null : continuation_token,
      })),
};
