// X: one post in the supplier's flat form, and the flat rows of a search.
import { z } from 'zod';
import { mediaOf, type Post, type PostMedia, postOf, tagsIn } from '../post.ts';
import { count, id, measure, text, wireTime } from '../wire.ts';
import { missingIn, type TikhubPlatform } from './platform.ts';

const media = z
  .object({
    photo: z
      .array(
        z.object({
          media_url_https: text,
          sizes: z.object({ w: measure, h: measure }).nullish(),
        }),
      )
      .nullish(),
    video: z
      .array(
        z.object({
          duration: measure,
          original_info: z.object({ width: measure, height: measure }).nullish(),
          variants: z.array(z.object({ content_type: text, url: text, bitrate: count })).nullish(),
        }),
      )
      .nullish(),
  })
  .nullish()
  .transform((value): PostMedia[] => [
    ...(value?.video ?? []).flatMap((video) => {
      const mp4Variants = (video.variants ?? []).filter(
        (variant) => variant.content_type === 'video/mp4',
      );
      const best = mp4Variants.toSorted((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0];
      const seconds = video.duration === null ? null : video.duration / 1000;
      return mediaOf('video', best?.url, { ...video.original_info, seconds });
    }),
    ...(value?.photo ?? []).flatMap((photo) =>
      mediaOf('image', photo.media_url_https, {
        width: photo.sizes?.w ?? null,
        height: photo.sizes?.h ?? null,
      }),
    ),
  ]);

const user = z
  .object({
    rest_id: id.nullish(),
    name: text,
    screen_name: text,
    image: text,
    avatar: text,
  })
  .nullish();

const stats = {
  views: count,
  replies: count,
  retweets: count,
  bookmarks: count,
  lang: text,
  created_at: wireTime,
  text,
  media,
};

type TweetFields = {
  readonly id: string;
  readonly handle: string | null;
  readonly user: z.output<typeof user>;
  readonly likes: number | null;
  readonly rest: { [K in keyof typeof stats]: z.output<(typeof stats)[K]> };
};

function tweetPost({ id: tweetId, handle, user: writer, likes, rest }: TweetFields): Post {
  return postOf({
    id: tweetId,
    url: `https://x.com/${handle ?? 'i'}/status/${tweetId}`,
    type: rest.media[0]?.type ?? 'text',
    text: rest.text,
    author: {
      id: writer?.rest_id ?? null,
      name: writer?.name ?? handle,
      url: handle === null ? null : `https://x.com/${handle}`,
      avatar_url: writer?.image ?? writer?.avatar ?? null,
    },
    published_at: rest.created_at,
    media: rest.media,
    metrics: {
      views: rest.views,
      likes,
      comments: rest.replies,
      shares: rest.retweets,
      favorites: rest.bookmarks,
    },
    tags: tagsIn(rest.text),
    // X's own codes for "no language": und, zxx, qme and others that begin with q.
    language: rest.lang === null || /^(?:und|zxx|q..)$/.test(rest.lang) ? null : rest.lang,
  });
}

const detail = z
  .object({ id, likes: count, author: user, ...stats })
  .transform(({ id: tweetId, likes, author, ...rest }) =>
    tweetPost({ id: tweetId, handle: author?.screen_name ?? null, user: author, likes, rest }),
  );

const emptyAsNull = z
  .union([z.null(), z.strictObject({}), z.object({ tombstone: z.unknown() }).required()])
  .transform(() => null);

/** The list also contains prompts and suggestions. */
const isTweet = (type: string | null) => (type ?? 'tweet') === 'tweet';

const row = z
  .object({
    type: text,
    tweet_id: id.nullish(),
    screen_name: text,
    favorites: count,
    user_info: user,
    ...stats,
  })
  .refine(({ type, tweet_id }) => tweet_id || !isTweet(type), missingIn('tweet_id'))
  .transform(({ type, tweet_id, screen_name, favorites, user_info, ...rest }): Post[] => {
    if (!isTweet(type) || !tweet_id) return [];
    const handle = screen_name ?? user_info?.screen_name ?? null;
    return [tweetPost({ id: tweet_id, handle, user: user_info, likes: favorites, rest })];
  });

export const twitter: TikhubPlatform = {
  content: (ref) => ({ path: '/twitter/web/fetch_tweet_detail', query: { tweet_id: ref.id } }),
  post: z.union([emptyAsNull, detail]),
  search: ({ keyword, cursor }) => ({
    path: '/twitter/web/fetch_search_timeline',
    query: { keyword, search_type: 'Top', ...(cursor !== null && { cursor }) },
  }),
  found: () =>
    z
      .object({ timeline: z.array(row), next_cursor: text })
      .transform(({ timeline, next_cursor }) => {
        const posts = timeline.flat();
        return { posts, next: posts.length === 0 ? null : next_cursor };
      }),
};
