// Parses bilibili's `x/web-interface/view`, from bilibili itself or from providers that forward it.
import { z } from 'zod';
import { mediaOf, type Post, postOf } from './post.ts';
import { count, epoch, id, measure, text } from './wire.ts';

const view = z
  .object({
    bvid: z.string().min(1),
    title: z.string().min(1),
    desc: text,
    pic: text,
    pubdate: epoch,
    duration: measure,
    dimension: z.object({ width: measure, height: measure }).nullish(),
    owner: z.object({ mid: id, name: text, face: text }).nullish(),
    stat: z
      .object({ view: count, like: count, reply: count, share: count, favorite: count })
      .nullish(),
  })
  .transform((item): Post => {
    const { owner, stat, dimension } = item;
    const url = `https://www.bilibili.com/video/${item.bvid}`;
    return postOf({
      id: item.bvid,
      url,
      type: 'video',
      title: item.title,
      text: item.desc === '-' ? null : item.desc,
      author: {
        id: owner?.mid ?? null,
        name: owner?.name ?? null,
        url: owner ? `https://space.bilibili.com/${owner.mid}` : null,
        avatar_url: owner?.face ?? null,
      },
      published_at: item.pubdate,
      // The view contains no video URL; the URL of its page is stable.
      media: mediaOf('video', url, { ...dimension, seconds: item.duration }),
      metrics: {
        views: stat?.view ?? null,
        likes: stat?.like ?? null,
        comments: stat?.reply ?? null,
        shares: stat?.share ?? null,
        favorites: stat?.favorite ?? null,
      },
    });
  });

// -404: not found; 62002: invisible; 62004: under review; 62012: visible to its owner only; -403:
// forbidden.
const notFoundCodes = new Set([-404, 62002, 62004, 62012, -403]);

/** bilibili's response `{ code, data }`; null: the post is deleted or hidden. */
export const bilibiliView = z
  .object({ code: z.int(), message: text, data: view.nullish() })
  .transform((result, context) => {
    if (result.code === 0 && result.data) return result.data;
    if (notFoundCodes.has(result.code)) return null;
    const message = `bilibili answered ${result.code}`;
    context.addIssue({ code: 'custom', message, path: ['code'] });
    return z.NEVER;
  });
