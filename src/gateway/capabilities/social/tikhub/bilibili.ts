// Parses posts of bilibili: the site's view response, and rows of the web search with highlighted
// titles.
import { z } from 'zod';
import { bilibiliView } from '../bilibili-view.ts';
import { mediaOf, type Post, postOf } from '../post.ts';
import { clockTime, count, epoch, id, plainOrNull, text } from '../wire.ts';
import { missingFieldIssue, pageOf, type TikhubPlatform } from './platform.ts';

/** Search results contain courses and games besides videos. */
const isVideo = (type: string | null) => (type ?? 'video') === 'video';

const result = z
  .object({
    type: text,
    bvid: text,
    title: text,
    description: text,
    author: text,
    mid: id.nullish(),
    upic: text,
    pic: text,
    pubdate: epoch,
    duration: clockTime,
    play: count,
    like: count,
    review: count,
    favorites: count,
    tag: text,
  })
  .refine(({ bvid, type }) => bvid !== null || !isVideo(type), missingFieldIssue('bvid'))
  .transform((item): Post[] => {
    if (item.bvid === null || !isVideo(item.type)) return [];
    const url = `https://www.bilibili.com/video/${item.bvid}`;
    const avatar = item.upic?.startsWith('//') ? `https:${item.upic}` : item.upic;
    return [
      postOf({
        id: item.bvid,
        url,
        type: 'video',
        title: plainOrNull(item.title),
        text: item.description === '-' ? null : item.description,
        author: {
          id: item.mid ?? null,
          name: item.author,
          avatar_url: avatar,
          url: item.mid ? `https://space.bilibili.com/${item.mid}` : null,
        },
        published_at: item.pubdate,
        media: mediaOf('video', url, { seconds: item.duration }),
        metrics: {
          views: item.play,
          likes: item.like,
          comments: item.review,
          favorites: item.favorites,
        },
        tags: item.tag?.split(',').filter(Boolean) ?? [],
      }),
    ];
  });

export const bilibili: TikhubPlatform = {
  contentRequest: (ref) => ({ path: '/bilibili/web/fetch_one_video_v3', query: { url: ref.url } }),
  postSchema: bilibiliView,
  searchRequest: (query) => ({
    path: '/bilibili/web/fetch_general_search',
    query: {
      keyword: query.keyword,
      order: 'totalrank',
      page: String(pageOf(query)),
      page_size: String(query.limit),
      duration: '0',
    },
  }),
  pageSchema: (query) =>
    z
      .object({
        data: z
          .object({ numPages: count, result: z.array(result).nullish() })
          .refine((page) => page.result || page.numPages !== null, missingFieldIssue('result')),
      })
      .transform(({ data }) => {
        const page = pageOf(query);
        const posts = (data.result ?? []).flat();
        const isLast = data.numPages === null ? posts.length === 0 : page >= data.numPages;
        return { posts, next: isLast ? null : String(page + 1) };
      }),
};
