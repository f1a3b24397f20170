// Parses notes of Xiaohongshu, which are inside the platform's own second `data` object.
import { z } from 'zod';
import { mediaOf, type Post, postOf, tagsIn } from '../post.ts';
import { count, epoch, id, measure, text } from '../wire.ts';
import { missingFieldIssue, nextPage, pageOf, type TikhubPlatform } from './platform.ts';

const note = z
  .object({
    id,
    title: text,
    desc: text,
    type: text,
    time: epoch,
    timestamp: epoch,
    user: z
      .object({ userid: id.nullish(), user_id: id.nullish(), nickname: text, image: text })
      .extend({ images: text })
      .nullish(),
    images_list: z.array(z.object({ url: text, width: measure, height: measure })).nullish(),
    video_info_v2: z
      .object({
        media: z.object({
          stream: z.object({
            h264: z
              .array(
                z.object({ master_url: text, width: measure, height: measure, duration: measure }),
              )
              .nullish(),
          }),
        }),
      })
      .nullish(),
    view_count: count,
    liked_count: count,
    comments_count: count,
    shared_count: count,
    collected_count: count,
    hash_tag: z.array(z.object({ name: text })).nullish(),
  })
  .transform((item): Post => {
    const { user } = item;
    const userId = user?.userid ?? user?.user_id ?? null;
    const stream = item.video_info_v2?.media.stream.h264?.[0];
    const seconds = stream?.duration ? stream.duration / 1000 : null;
    const videoMedia = mediaOf('video', stream?.master_url, { ...stream, seconds });
    const images = (item.images_list ?? []).flatMap((image) => mediaOf('image', image.url, image));
    const names = (item.hash_tag ?? []).flatMap(({ name }) => name ?? []);
    return postOf({
      id: item.id,
      url: `https://www.xiaohongshu.com/explore/${item.id}`,
      type: item.type === 'video' ? 'video' : 'image',
      title: item.title,
      text: item.desc,
      author: {
        id: userId,
        name: user?.nickname ?? null,
        url: userId === null ? null : `https://www.xiaohongshu.com/user/profile/${userId}`,
        avatar_url: user?.image ?? user?.images ?? null,
      },
      published_at: item.time ?? item.timestamp,
      media: item.type === 'video' && videoMedia.length > 0 ? videoMedia : images,
      metrics: {
        // The app does not show views, so 0 means unknown.
        views: item.view_count || null,
        likes: item.liked_count,
        comments: item.comments_count,
        shares: item.shared_count,
        favorites: item.collected_count,
      },
      tags: names.length > 0 ? names : tagsIn(item.desc),
    });
  });

const notes = z.array(z.object({ note_list: z.array(note) }));

const card = z
  .object({ model_type: text, note: note.nullish() })
  .refine(
    (entry) => entry.note || (entry.model_type ?? 'note') !== 'note',
    missingFieldIssue('note'),
  );

export const xiaohongshu: TikhubPlatform = {
  contentRequest: (ref) => ({
    path: '/xiaohongshu/web/get_note_info_v7',
    query: { note_id: ref.id, share_text: ref.url },
  }),
  postSchema: z
    .union([notes, z.object({ data: notes }).transform(({ data }) => data)])
    .transform((data) => data[0]?.note_list[0] ?? null),
  searchRequest: (query) => ({
    path: '/xiaohongshu/web/search_notes_v3',
    query: { keyword: query.keyword, page: String(pageOf(query)), sort: 'general', noteType: '_0' },
  }),
  pageSchema: (query) =>
    z
      .object({
        data: z.object({
          items: z.array(card),
          has_more: z.boolean().nullish(),
        }),
      })
      .transform(({ data }) => ({
        posts: data.items.flatMap(({ note: found }) => found ?? []),
        next: nextPage(query, data.items.length, data.has_more ?? true),
      })),
};
