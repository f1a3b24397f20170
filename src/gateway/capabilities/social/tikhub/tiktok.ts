// Parses posts of TikTok from `itemStruct` of its web pages.
import { z } from 'zod';
import { mediaOf, type Post, postOf } from '../post.ts';
import { count, epoch, id, measure, text } from '../wire.ts';
import { missingFieldIssue, type TikhubPlatform } from './platform.ts';

const item = z
  .object({
    id,
    desc: text,
    createTime: epoch,
    author: z
      .object({ id: id.nullish(), uniqueId: text, nickname: text, avatarThumb: text })
      .nullish(),
    stats: z
      .object({
        playCount: count,
        diggCount: count,
        commentCount: count,
        shareCount: count,
        collectCount: count,
      })
      .nullish(),
    video: z
      .object({ playAddr: text, width: measure, height: measure, duration: measure })
      .nullish(),
    imagePost: z
      .object({
        images: z.array(
          z.object({
            imageURL: z.object({ urlList: z.array(z.string()).nullish() }).nullish(),
            imageWidth: measure,
            imageHeight: measure,
          }),
        ),
      })
      .nullish(),
    challenges: z.array(z.object({ title: text })).nullish(),
    textLanguage: text,
  })
  .transform((response): Post => {
    const { author, stats, video } = response;
    const images = (response.imagePost?.images ?? []).flatMap((image) =>
      mediaOf('image', image.imageURL?.urlList?.[0], {
        width: image.imageWidth,
        height: image.imageHeight,
      }),
    );
    const videoMedia = mediaOf('video', video?.playAddr, {
      ...video,
      seconds: video?.duration ?? null,
    });
    const handle = author?.uniqueId ?? null;
    // `un`: TikTok's code for an unknown language.
    const language = response.textLanguage === 'un' ? null : response.textLanguage;
    return postOf({
      id: response.id,
      url: `https://www.tiktok.com/@${handle ?? '_'}/video/${response.id}`,
      type: images.length > 0 ? 'image' : 'video',
      text: response.desc,
      author: {
        id: author?.id ?? null,
        name: author?.nickname ?? handle,
        url: handle === null ? null : `https://www.tiktok.com/@${handle}`,
        avatar_url: author?.avatarThumb ?? null,
      },
      published_at: response.createTime,
      media: images.length > 0 ? images : videoMedia,
      metrics: {
        views: stats?.playCount ?? null,
        likes: stats?.diggCount ?? null,
        comments: stats?.commentCount ?? null,
        shares: stats?.shareCount ?? null,
        favorites: stats?.collectCount ?? null,
      },
      tags: (response.challenges ?? []).flatMap(({ title }) => title ?? []),
      language,
    });
  });

// 10204: not found; 10215, 10216, 10222: private post or account; 10231: not available in this
// region.
const notFoundCodes = new Set([10204, 10215, 10216, 10222, 10231]);

const notFoundAsNull = z
  .object({
    statusCode: z.int().refine((code) => notFoundCodes.has(code), 'a status that is not known'),
  })
  .transform(() => null);

const card = z
  .object({ type: z.number().nullish(), item: item.nullish() })
  .refine((entry) => entry.item || (entry.type ?? 1) !== 1, missingFieldIssue('item'));

export const tiktok: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/tiktok/web/fetch_post_detail_v2',
    query: { itemId: ref.id },
  }),
  postSchema: z.union([
    notFoundAsNull,
    z
      .object({ itemInfo: z.object({ itemStruct: item }) })
      .transform((data) => data.itemInfo.itemStruct),
  ]),
  searchRequest: ({ keyword, cursor }) => ({
    path: '/tiktok/web/fetch_general_search',
    query: { keyword, offset: cursor ?? '0' },
  }),
  pageSchema: () =>
    z
      .object({
        data: z.array(card),
        has_more: z.union([z.boolean(), z.number()]).nullish(),
        cursor: count,
      })
      .transform(({ data, has_more, cursor }) => ({
        posts: data.flatMap(({ item: found }) => found ?? []),
        next: has_more && cursor ? String(cursor) : null,
      })),
};
