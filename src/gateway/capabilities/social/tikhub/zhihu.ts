// Parses articles and answers of Zhihu. The texts of posts and of search results contain markup.
import { z } from 'zod';
import { type Post, postOf } from '../post.ts';
import { count, epoch, id, plainOrNull, text } from '../wire.ts';
import type { TikhubPlatform } from './platform.ts';

const writing = z
  .object({
    id,
    type: text,
    title: text,
    content: text,
    excerpt: text,
    author: z.object({ id: id.nullish(), name: text, url_token: text, avatar_url: text }).nullish(),
    question: z.object({ id, name: text, title: text }).nullish(),
    created: epoch,
    created_time: epoch,
    voteup_count: count,
    comment_count: count,
    favorites_count: count,
    topics: z.array(z.object({ name: text })).nullish(),
  })
  .transform((item): Post => {
    const { author, question } = item;
    const isAnswer = item.type === 'answer' || (question !== null && question !== undefined);
    const content = item.content ?? item.excerpt;
    const questionTitle = question?.title ?? question?.name ?? null;
    const answerUrl = question
      ? `https://www.zhihu.com/question/${question.id}/answer/${item.id}`
      : `https://www.zhihu.com/answer/${item.id}`;
    return postOf({
      id: item.id,
      url: isAnswer ? answerUrl : `https://zhuanlan.zhihu.com/p/${item.id}`,
      type: 'article',
      title: plainOrNull(item.title ?? questionTitle),
      text: plainOrNull(content),
      author: {
        id: author?.id ?? null,
        name: plainOrNull(author?.name ?? null),
        url: author?.url_token ? `https://www.zhihu.com/people/${author.url_token}` : null,
        avatar_url: author?.avatar_url ?? null,
      },
      published_at: item.created ?? item.created_time,
      metrics: {
        likes: item.voteup_count,
        comments: item.comment_count,
        favorites: item.favorites_count,
      },
      tags: (item.topics ?? []).flatMap(({ name }) => name ?? []),
    });
  });

const refused = z
  .object({ error: z.object({ code: z.int().nullish(), message: text }) })
  .transform(() => null);

const hit = z.object({ type: z.string(), object: z.unknown() });

export const zhihu: TikhubPlatform = {
  contentRequest: (ref) => {
    if (ref.type === 'article') {
      return { path: '/zhihu/web/fetch_column_article_detail', query: { article_id: ref.id } };
    }
    return ref.type === 'answer'
      ? { path: '/zhihu/web/fetch_answer_detail', query: { answer_id: ref.id } }
      : null;
  },
  postSchema: z.union([refused, writing]),
  searchRequest: ({ keyword, cursor, limit }) => ({
    path: '/zhihu/web/fetch_article_search_v3',
    query: { keyword, offset: cursor ?? '0', limit: String(limit) },
  }),
  pageSchema: ({ cursor, limit }) =>
    z
      .object({
        data: z.array(hit),
        paging: z.object({ is_end: z.boolean().nullish() }).nullish(),
      })
      .transform(({ data, paging }, context) => {
        // The list also contains advertisements and topic cards.
        const posts = data.flatMap(({ type, object }, index) => {
          if (type !== 'search_result') return [];
          const parsed = writing.safeParse(object);
          if (parsed.success) return [parsed.data];
          const issue = parsed.error.issues[0];
          const path = ['data', index, 'object', ...(issue?.path ?? [])];
          context.addIssue({ code: 'custom', message: issue?.message ?? 'does not match', path });
          return [];
        });
        const isEnd = paging?.is_end ?? data.length === 0;
        return { posts, next: isEnd ? null : String(Number(cursor ?? 0) + limit) };
      }),
};
