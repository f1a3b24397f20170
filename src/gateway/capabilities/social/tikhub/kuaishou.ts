// Parses posts of Kuaishou: a single post in the web's camel case, search results in the app's
// snake case.
import { z } from 'zod';
import { mediaOf, type Post, postOf, tagsIn } from '../post.ts';
import { count, epoch, id, measure, text } from '../wire.ts';
import { missingFieldIssue, pageOf, type TikhubPlatform } from './platform.ts';

const firstAddress = z
  .array(z.object({ url: text }))
  .nullish()
  .transform((list) => list?.[0]?.url ?? null);

type KuaishouFields = {
  readonly id: string;
  readonly text: string | null;
  readonly published_at: string | null;
  readonly author: Partial<Post['author']>;
  readonly metrics: Partial<Post['metrics']>;
  readonly videoUrl: string | null;
  readonly cover: string | null;
  readonly size: { width: number | null; height: number | null; durationMs: number | null };
};

function kuaishouPost(fields: KuaishouFields): Post {
  const { durationMs, ...size } = fields.size;
  const seconds = durationMs === null ? null : durationMs / 1000;
  const videoMedia = mediaOf('video', fields.videoUrl, { ...size, seconds });
  return postOf({
    id: fields.id,
    url: `https://www.kuaishou.com/short-video/${fields.id}`,
    type: videoMedia.length > 0 ? 'video' : 'image',
    text: fields.text,
    author: fields.author,
    published_at: fields.published_at,
    media: videoMedia.length > 0 ? videoMedia : mediaOf('image', fields.cover, size),
    metrics: fields.metrics,
    tags: tagsIn(fields.text),
  });
}

const profileUrl = (userId: string | null) =>
  userId === null ? null : `https://www.kuaishou.com/profile/${userId}`;

const photo = z
  .object({
    photoId: id,
    caption: text,
    timestamp: epoch,
    userEid: text,
    userName: text,
    headUrl: text,
    viewCount: count,
    likeCount: count,
    commentCount: count,
    shareCount: count,
    collectCount: count,
    width: measure,
    height: measure,
    duration: measure,
    mainMvUrls: firstAddress,
    coverUrls: firstAddress,
  })
  .transform((item) =>
    kuaishouPost({
      id: item.photoId,
      text: item.caption,
      published_at: item.timestamp,
      author: {
        id: item.userEid,
        name: item.userName,
        avatar_url: item.headUrl,
        url: profileUrl(item.userEid),
      },
      metrics: {
        views: item.viewCount,
        likes: item.likeCount,
        comments: item.commentCount,
        shares: item.shareCount,
        favorites: item.collectCount,
      },
      videoUrl: item.mainMvUrls,
      cover: item.coverUrls,
      size: { width: item.width, height: item.height, durationMs: item.duration },
    }),
  );

const feed = z
  .object({
    photo_id: id,
    caption: text,
    timestamp: epoch,
    user_name: text,
    headurl: text,
    view_count: count,
    like_count: count,
    comment_count: count,
    forward_count: count,
    collect_count: count,
    share_info: text,
    duration: measure,
    main_mv_urls: firstAddress,
    cover_thumbnail_urls: firstAddress,
  })
  .transform((item) => {
    // `userId=…&photoId=…`: the ids that links use; `photo_id` is a different, internal number.
    const shareParams = new URLSearchParams(item.share_info ?? '');
    return kuaishouPost({
      id: shareParams.get('photoId') ?? item.photo_id,
      text: item.caption,
      published_at: item.timestamp,
      author: {
        id: shareParams.get('userId'),
        name: item.user_name,
        avatar_url: item.headurl,
        url: profileUrl(shareParams.get('userId')),
      },
      metrics: {
        views: item.view_count,
        likes: item.like_count,
        comments: item.comment_count,
        shares: item.forward_count,
        favorites: item.collect_count,
      },
      videoUrl: item.main_mv_urls,
      cover: item.cover_thumbnail_urls,
      size: { width: null, height: null, durationMs: item.duration },
    });
  });

export const kuaishou: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/kuaishou/web/fetch_one_video_by_url',
    query: { url: ref.url },
  }),
  postSchema: z.object({ photo: photo.nullable() }).transform((data) => data.photo),
  searchRequest: (query) => ({
    path: '/kuaishou/app/search_video_v2',
    query: { keyword: query.keyword, page: String(pageOf(query)) },
  }),
  pageSchema: (query) =>
    z
      .object({ mixFeeds: z.array(z.object({ feed: feed.nullish() })), pcursor: text })
      .refine(
        ({ mixFeeds }) => mixFeeds.length === 0 || mixFeeds.some((card) => card.feed),
        missingFieldIssue('mixFeeds'),
      )
      .transform(({ mixFeeds, pcursor }) => {
        const posts = mixFeeds.flatMap((card) => card.feed ?? []);
        const isLast = pcursor === null || pcursor === 'no_more' || mixFeeds.length === 0;
        return { posts, next: isLast ? null : String(pageOf(query) + 1) };
      }),
};
