// Parses posts of WeChat Channels in the format of its app. A video's URL works only with its
// token, which is appended here. The bytes at the URL are encrypted.
import { z } from 'zod';
import { mediaOf, type Post, postOf, tagsIn } from '../post.ts';
import { count, epoch, id, measure, plainOrNull, text } from '../wire.ts';
import type { TikhubPlatform } from './platform.ts';

const mediaObject = z.object({
  url: text,
  url_token: text,
  full_url: text,
  media_type: z.number().nullish(),
  width: measure,
  height: measure,
  video_play_len: measure,
});

const object = z
  .object({
    id,
    nickname: text,
    username: text,
    contact: z.object({ nickname: text, username: text, head_url: text }).nullish(),
    createtime: epoch,
    object_desc: z.object({ description: text, media: z.array(mediaObject).nullish() }),
    read_count: count,
    like_count: count,
    comment_count: count,
    forward_count: count,
    fav_count: count,
  })
  .transform((item): Post => {
    const { contact } = item;
    const description = plainOrNull(item.object_desc.description);
    // WeChat's kinds: 2 is an image, 4 a video.
    const media = (item.object_desc.media ?? []).flatMap((file) =>
      mediaOf(
        file.media_type === 2 ? 'image' : 'video',
        file.full_url ?? (file.url === null ? null : file.url + (file.url_token ?? '')),
        { width: file.width, height: file.height, seconds: file.video_play_len },
      ),
    );
    return postOf({
      id: item.id,
      url: `https://channels.weixin.qq.com/web/pages/feed?oid=${item.id}`,
      type: media[0]?.type ?? 'text',
      text: description,
      author: {
        id: contact?.username ?? item.username,
        name: contact?.nickname ?? item.nickname,
        avatar_url: contact?.head_url ?? null,
      },
      published_at: item.createtime,
      media,
      metrics: {
        views: item.read_count || null,
        likes: item.like_count,
        comments: item.comment_count,
        shares: item.forward_count,
        favorites: item.fav_count,
      },
      tags: tagsIn(description),
    });
  });

const emptyValue = z
  .union([z.null(), z.strictObject({}), z.array(z.never())])
  .transform(() => null);

export const wechatChannels: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/wechat_channels/fetch_video_detail',
    query: ref.type === 'share' ? { exportId: ref.id } : { id: ref.id },
  }),
  postSchema: z.union([emptyValue, object]),
  searchRequest: ({ keyword }) => ({
    path: '/wechat_channels/fetch_search_latest',
    query: { keywords: keyword },
  }),
  // A search has one page, because the endpoint accepts no cursor.
  pageSchema: () =>
    z
      .union([z.strictObject({}), z.object({ media_list: z.array(object).nullable() })])
      .transform((data) => ({
        posts: ('media_list' in data && data.media_list) || [],
        next: null,
      })),
};
