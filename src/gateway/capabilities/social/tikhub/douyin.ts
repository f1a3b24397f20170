// Parses posts of Douyin from `aweme_detail`, in the format of its apps.
import { z } from 'zod';
import { mediaOf, type Post, postOf } from '../post.ts';
import { count, epoch, id, measure, text } from '../wire.ts';
import { missingFieldIssue, type TikhubPlatform } from './platform.ts';

const firstAddress = z
  .object({ url_list: z.array(z.string()).nullish() })
  .nullish()
  .transform((value) => value?.url_list?.[0] || null);

const aweme = z
  .object({
    aweme_id: id,
    desc: text,
    create_time: epoch,
    author: z
      .object({ uid: id.nullish(), sec_uid: text, nickname: text, avatar_thumb: firstAddress })
      .nullish(),
    statistics: z
      .object({
        play_count: count,
        digg_count: count,
        comment_count: count,
        share_count: count,
        collect_count: count,
      })
      .nullish(),
    video: z
      .object({ play_addr: firstAddress, width: measure, height: measure, duration: measure })
      .nullish(),
    images: z
      .array(z.object({ url_list: z.array(z.string()).nullish(), width: measure, height: measure }))
      .nullish(),
    text_extra: z.array(z.object({ hashtag_name: text })).nullish(),
  })
  .transform((item): Post => {
    const { author, statistics, video } = item;
    const images = (item.images ?? []).flatMap((image) =>
      mediaOf('image', image.url_list?.[0], image),
    );
    const seconds = video?.duration ? video.duration / 1000 : null;
    const videoMedia = mediaOf('video', video?.play_addr, { ...video, seconds });
    // Douyin returns 0 views to clients without a session.
    const views = statistics?.play_count || null;
    return postOf({
      id: item.aweme_id,
      url: `https://www.douyin.com/video/${item.aweme_id}`,
      type: images.length > 0 ? 'image' : 'video',
      text: item.desc,
      author: {
        id: author?.uid ?? null,
        name: author?.nickname ?? null,
        url: author?.sec_uid ? `https://www.douyin.com/user/${author.sec_uid}` : null,
        avatar_url: author?.avatar_thumb ?? null,
      },
      published_at: item.create_time,
      media: images.length > 0 ? images : videoMedia,
      metrics: {
        views,
        likes: statistics?.digg_count ?? null,
        comments: statistics?.comment_count ?? null,
        shares: statistics?.share_count ?? null,
        favorites: statistics?.collect_count ?? null,
      },
      tags: (item.text_extra ?? []).flatMap(({ hashtag_name }) => hashtag_name ?? []),
    });
  });

const hasMoreSchema = z.union([z.boolean(), z.number()]).nullish();

/** Cards of other kinds (related searches, users) carry no `aweme_info`. */
const card = z
  .object({ type: z.number().nullish(), aweme_info: aweme.nullish() })
  .refine(
    ({ type, aweme_info }) => aweme_info || (type ?? 1) !== 1,
    missingFieldIssue('aweme_info'),
  );

export const douyin: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/douyin/web/fetch_one_video_by_share_url',
    query: { share_url: ref.url },
  }),
  postSchema: z.object({ aweme_detail: aweme.nullable() }).transform((data) => data.aweme_detail),
  searchRequest: ({ keyword, cursor }) => {
    const [offset = '0', searchId = ''] = (cursor ?? '').split(' ');
    return {
      path: '/douyin/search/fetch_general_search_v2',
      json: {
        keyword,
        cursor: Number(offset) || 0,
        sort_type: '0',
        publish_time: '0',
        filter_duration: '0',
        content_type: '0',
        search_id: searchId,
      },
    };
  },
  pageSchema: () =>
    z
      .object({
        data: z.array(card),
        has_more: hasMoreSchema,
        cursor: count,
        extra: z.object({ logid: text }).nullish(),
      })
      .transform(({ data, has_more, cursor, extra }) => ({
        posts: data.flatMap(({ aweme_info }) => aweme_info ?? []),
        next: has_more && cursor ? `${cursor} ${extra?.logid ?? ''}` : null,
      })),
};
