// Parses posts of Instagram in the shape of its GraphQL. A search has two steps, because Instagram
// searches only users, hashtags and places: first the best hashtag, then its posts.
import { z } from 'zod';
import { mediaOf, type Post, type PostMedia, postOf, tagsIn } from '../post.ts';
import { count, epoch, id, measure, text } from '../wire.ts';
import type { TikhubPlatform } from './platform.ts';

const amount = z.object({ count }).nullish();

const image = {
  is_video: z.boolean().nullish(),
  video_url: text,
  display_url: text,
  dimensions: z.object({ width: measure, height: measure }).nullish(),
  video_duration: measure,
};

type InstagramImage = z.output<z.ZodObject<typeof image>>;

function mediaIn(node: InstagramImage): PostMedia[] {
  const size = node.dimensions ?? {};
  return node.is_video && node.video_url
    ? mediaOf('video', node.video_url, { ...size, seconds: node.video_duration })
    : mediaOf('image', node.display_url, size);
}

const node = z
  .object({
    id,
    shortcode: z.string().min(1),
    taken_at_timestamp: epoch,
    owner: z
      .object({ id: id.nullish(), username: text, full_name: text, profile_pic_url: text })
      .nullish(),
    edge_media_to_caption: z
      .object({ edges: z.array(z.object({ node: z.object({ text }) })) })
      .nullish(),
    edge_media_preview_like: amount,
    edge_liked_by: amount,
    edge_media_to_comment: amount,
    edge_media_to_parent_comment: amount,
    video_view_count: count,
    video_play_count: count,
    edge_sidecar_to_children: z
      .object({ edges: z.array(z.object({ node: z.object(image) })) })
      .nullish(),
    ...image,
  })
  .transform((item): Post => {
    const { owner } = item;
    const caption = item.edge_media_to_caption?.edges[0]?.node.text ?? null;
    const children = item.edge_sidecar_to_children?.edges ?? [];
    const media =
      children.length > 0 ? children.flatMap((child) => mediaIn(child.node)) : mediaIn(item);
    const likes = item.edge_media_preview_like ?? item.edge_liked_by;
    const comments = item.edge_media_to_parent_comment ?? item.edge_media_to_comment;
    const handle = owner?.username ?? null;
    return postOf({
      id: item.shortcode,
      url: `https://www.instagram.com/${item.is_video ? 'reel' : 'p'}/${item.shortcode}/`,
      type: item.is_video ? 'video' : 'image',
      text: caption,
      author: {
        id: owner?.id ?? null,
        name: owner?.full_name ?? handle,
        url: handle === null ? null : `https://www.instagram.com/${handle}/`,
        avatar_url: owner?.profile_pic_url ?? null,
      },
      published_at: item.taken_at_timestamp,
      media,
      metrics: {
        views: item.video_play_count ?? item.video_view_count,
        // -1: the author has hidden the number.
        likes: likes?.count ?? null,
        comments: comments?.count ?? null,
      },
      tags: tagsIn(caption),
    });
  });

const emptyAsNull = z.union([z.null(), z.strictObject({})]).transform(() => null);

const hashtagPage = z
  .object({
    hashtag: z
      .object({
        edge_hashtag_to_media: z.object({
          edges: z.array(z.object({ node })),
          page_info: z.object({ has_next_page: z.boolean().nullish(), end_cursor: text }).nullish(),
        }),
      })
      .nullable(),
  })
  .transform(({ hashtag }) => {
    const media = hashtag?.edge_hashtag_to_media;
    const posts = (media?.edges ?? []).map((edge) => edge.node);
    const nextCursor = media?.page_info?.has_next_page ? media.page_info.end_cursor : null;
    return { posts, next: nextCursor };
  });

/** The hashtag with the most posts in a `fetch_search` response; null: none matches. */
export const hashtagSchema = z
  .union([
    z.strictObject({}),
    z.object({
      hashtags: z
        .array(z.object({ hashtag: z.object({ name: z.string().min(1), media_count: count }) }))
        .nullable(),
    }),
  ])
  .transform((data) => {
    const hashtags = ('hashtags' in data && data.hashtags) || [];
    const sorted = hashtags
      .map(({ hashtag }) => hashtag)
      .toSorted((a, b) => (b.media_count ?? 0) - (a.media_count ?? 0));
    return sorted[0]?.name ?? null;
  });

/** The request before the search. Its response names the hashtag to search. */
export function hashtagRequest(keyword: string) {
  return { path: '/instagram/v1/fetch_search', query: { query: keyword, select: 'hashtags' } };
}

export const instagram: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/instagram/v1/fetch_post_by_url_v2',
    query: { post_url: ref.url },
  }),
  postSchema: z.union([emptyAsNull, node]),
  // At this point `keyword` is the hashtag.
  searchRequest: ({ keyword, cursor }) => ({
    path: '/instagram/v1/fetch_hashtag_posts',
    query: { hashtag: keyword, ...(cursor !== null && { end_cursor: cursor }) },
  }),
  pageSchema: () => hashtagPage,
};
