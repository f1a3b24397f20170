// Parses posts of Weibo: a status in the web's format, and search results that the provider
// extracts from a page.
import { z } from 'zod';
import { mediaOf, type Post, postOf, tagsIn } from '../post.ts';
import { count, id, measure, plainOrNull, text, wireTime } from '../wire.ts';
import { nextPage, pageOf, type TikhubPlatform } from './platform.ts';

const status = z
  .object({
    idstr: id,
    text_raw: text,
    text,
    created_at: wireTime,
    user: z.object({ idstr: id, screen_name: text, avatar_hd: text }).nullish(),
    reposts_count: count,
    comments_count: count,
    attitudes_count: count,
    pic_ids: z.array(z.string()).nullish(),
    pic_infos: z
      .record(
        z.string(),
        z.object({
          large: z.object({ url: text, width: measure, height: measure }).nullish(),
        }),
      )
      .nullish(),
    page_info: z
      .object({
        object_type: text,
        media_info: z.object({ stream_url: text, duration: measure }).nullish(),
      })
      .nullish(),
    topic_struct: z.array(z.object({ topic_title: text })).nullish(),
  })
  .transform((item): Post => {
    const { user, page_info: page } = item;
    const videoMedia = mediaOf('video', page?.media_info?.stream_url, {
      seconds: page?.media_info?.duration ?? null,
    });
    const images = (item.pic_ids ?? []).flatMap((imageId) => {
      const large = item.pic_infos?.[imageId]?.large;
      return large ? mediaOf('image', large.url, large) : [];
    });
    const media = [...videoMedia, ...images];
    const content = item.text_raw ?? plainOrNull(item.text);
    return postOf({
      id: item.idstr,
      url: `https://m.weibo.cn/status/${item.idstr}`,
      type: media[0]?.type ?? 'text',
      text: content,
      author: {
        id: user?.idstr ?? null,
        name: user?.screen_name ?? null,
        url: user ? `https://weibo.com/u/${user.idstr}` : null,
        avatar_url: user?.avatar_hd ?? null,
      },
      published_at: item.created_at,
      media,
      metrics: {
        likes: item.attitudes_count,
        comments: item.comments_count,
        shares: item.reposts_count,
      },
      tags: (item.topic_struct ?? []).flatMap(({ topic_title }) => topic_title ?? []),
    });
  });

const refused = z.object({ error_code: z.int() }).transform((refusal, context) => {
  // 20101: no such post; 20112 and 20135: visible only to the author or to followers.
  if ([20101, 20112, 20135].includes(refusal.error_code)) return null;
  const message = `weibo answered ${refusal.error_code}`;
  context.addIssue({ code: 'custom', message, path: ['error_code'] });
  return z.NEVER;
});

const result = z
  .object({
    weibo_id: id,
    content: text,
    publish_time: wireTime,
    user_name: text,
    user_nick: text,
    user_avatar: text,
    interaction: z
      .object({ like_count: count, comment_count: count, repost_count: count })
      .nullish(),
    media: z.object({ images: z.array(z.string()).nullish() }).nullish(),
  })
  .transform((item): Post => {
    const images = (item.media?.images ?? []).flatMap((url) => mediaOf('image', url));
    return postOf({
      id: item.weibo_id,
      url: `https://m.weibo.cn/status/${item.weibo_id}`,
      type: images.length > 0 ? 'image' : 'text',
      text: item.content,
      author: {
        id: item.user_name,
        name: item.user_nick,
        avatar_url: item.user_avatar,
        url: item.user_name ? `https://weibo.com/u/${item.user_name}` : null,
      },
      published_at: item.publish_time,
      media: images,
      metrics: {
        likes: item.interaction?.like_count ?? null,
        comments: item.interaction?.comment_count ?? null,
        shares: item.interaction?.repost_count ?? null,
      },
      tags: tagsIn(item.content),
    });
  });

export const weibo: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/weibo/web_v2/fetch_post_detail',
    query: { id: ref.id, is_get_long_text: 'true' },
  }),
  postSchema: z.union([refused, status]),
  searchRequest: (query) => ({
    path: '/weibo/web_v2/fetch_advanced_search',
    query: {
      q: query.keyword,
      search_type: 'all',
      include_type: 'all',
      page: String(pageOf(query)),
    },
  }),
  pageSchema: (query) =>
    z
      .object({ parsed_data: z.object({ results: z.array(result) }) })
      .transform(({ parsed_data: { results } }) => ({
        posts: results,
        next: nextPage(query, results.length),
      })),
};
