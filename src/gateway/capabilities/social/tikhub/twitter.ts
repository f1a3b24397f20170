// Parses posts of X, single posts and rows of a search, in the provider's flat format.
import { z } from 'zod';
import { mediaOf, type Post, type PostMedia, postOf, tagsIn } from '../post.ts';
import { count, id, measure, text, wireTime } from '../wire.ts';
import { missingFieldIssue, type TikhubPlatform } from './platform.ts';

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
      const bestVariant = mp4Variants.toSorted((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0];
      const seconds = video.duration === null ? null : video.duration / 1000;
      return mediaOf('video', bestVariant?.url, { ...video.original_info, seconds });
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

const commonFields = {
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
  readonly fields: { [K in keyof typeof commonFields]: z.output<(typeof commonFields)[K]> };
};

function tweetPost({ id: tweetId, handle, user: writer, likes, fields }: TweetFields): Post {
  return postOf({
    id: tweetId,
    url: `https://x.com/${handle ?? 'i'}/status/${tweetId}`,
    type: fields.media[0]?.type ?? 'text',
    text: fields.text,
    author: {
      id: writer?.rest_id ?? null,
      name: writer?.name ?? handle,
      url: handle === null ? null : `https://x.com/${handle}`,
      avatar_url: writer?.image ?? writer?.avatar ?? null,
    },
    published_at: fields.created_at,
    media: fields.media,
    metrics: {
      views: fields.views,
      likes,
      comments: fields.replies,
      shares: fields.retweets,
      favorites: fields.bookmarks,
    },
    tags: tagsIn(fields.text),
    // X's own codes for "no language": und, zxx, qme and others that begin with q.
    language: fields.lang === null || /^(?:und|zxx|q..)$/.test(fields.lang) ? null : fields.lang,
  });
}

const detail = z
  .object({ id, likes: count, author: user, ...commonFields })
  .transform(({ id: tweetId, likes, author, ...fields }) =>
    tweetPost({ id: tweetId, handle: author?.screen_name ?? null, user: author, likes, fields }),
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
    ...commonFields,
  })
  .refine(({ type, tweet_id }) => tweet_id || !isTweet(type), missingFieldIssue('tweet_id'))
  .transform(({ type, tweet_id, screen_name, favorites, user_info, ...fields }): Post[] => {
    if (!isTweet(type) || !tweet_id) return [];
    const handle = screen_name ?? user_info?.screen_name ?? null;
    return [tweetPost({ id: tweet_id, handle, user: user_info, likes: favorites, fields })];
  });

export const twitter: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/twitter/web/fetch_tweet_detail',
    query: { tweet_id: ref.id },
  }),
  postSchema: z.union([emptyAsNull, detail]),
  searchRequest: ({ keyword, cursor }) => ({
    path: '/twitter/web/fetch_search_timeline',
    query: { keyword, search_type: 'Top', ...(cursor !== null && { cursor }) },
  }),
  pageSchema: () =>
    z
      .object({ timeline: z.array(row), next_cursor: text })
      .transform(({ timeline, next_cursor }) => {
        const posts = timeline.flat();
        return { posts, next: posts.length === 0 ? null : next_cursor };
      }),
};
