// A supplier in TikHub's format: its paths, key, envelope and pages.
import {
  type DemoPost,
  demoPosts,
  findMatching,
  idOf,
  type Language,
  makeDigits,
  makeLetters,
  postFor,
  slug,
} from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';
import * as chinese from './tikhub-chinese.ts';
import * as world from './tikhub-world.ts';

export const tikhubKey = 'demo-tikhub-key';

/** Number of search results per page. */
const pageSize = 5;

export function handleTikhub(request: UpstreamRequest): Reply {
  if (request.headers.authorization !== `Bearer ${tikhubKey}`) {
    const detail = { code: 401, message: 'Invalid API token.' };
    return jsonReply({ detail }, 401);
  }
  const path = request.path.replace(/^\/api\/v1/, '');
  const find = contents[path] ?? searches[path];
  if (!find) return jsonReply({ detail: 'Not Found' }, 404);
  const data = find(parametersOf(request));
  return jsonReply({
    code: 200,
    request_id: makeLetters(path, 20),
    router: request.path,
    message: 'Request successful. This request will incur a charge.',
    data,
  });
}

type Parameters = (name: string) => string;

function parametersOf({ query, body, method }: UpstreamRequest): Parameters {
  const json: unknown = method === 'POST' && body.length > 0 ? JSON.parse(body.toString()) : {};
  const fields = json as Readonly<Record<string, unknown>>;
  return (name) => query.get(name) ?? String(fields[name] ?? '');
}

type DataFinder = (parameter: Parameters) => unknown;

const lastPart = (url: string) => url.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '';

function singleResult(
  id: string,
  language: Language,
  render: (post: DemoPost, id: string) => unknown,
  absent: unknown,
): unknown {
  const post = postFor(id, language);
  return post === null ? absent : render(post, id);
}

const contents: Readonly<Record<string, DataFinder>> = {
  '/douyin/web/fetch_one_video_by_share_url': (p) => {
    const filter_detail = { filter_reason: 'status_self_see', detail_msg: '作品不可见' };
    const aweme_detail = singleResult(lastPart(p('share_url')), 'zh', chinese.aweme, null);
    return { aweme_detail, ...(aweme_detail === null && { filter_detail }) };
  },
  '/xiaohongshu/web/get_note_info_v7': (p) => {
    const note = singleResult(p('note_id'), 'zh', chinese.note, null);
    return note === null ? [] : [{ user: {}, note_list: [note] }];
  },
  '/kuaishou/web/fetch_one_video_by_url': (p) => ({
    result: 1,
    photo: singleResult(lastPart(p('url')), 'zh', chinese.photo, null),
  }),
  '/bilibili/web/fetch_one_video_v3': (p) => {
    const data = singleResult(lastPart(p('url')), 'zh', chinese.view, null);
    return data === null ? { code: -404, message: '啥都木有' } : { code: 0, message: 'OK', data };
  },
  '/weibo/web_v2/fetch_post_detail': (p) =>
    singleResult(p('id'), 'zh', chinese.status, {
      ok: 0,
      error_code: 20101,
      message: '该微博不存在',
    }),
  '/zhihu/web/fetch_column_article_detail': (p) =>
    singleResult(p('article_id'), 'zh', (post, id) => chinese.writing(post, id, 'article'), {
      error: { code: 4041, message: '资源不存在' },
    }),
  '/zhihu/web/fetch_answer_detail': (p) =>
    singleResult(p('answer_id'), 'zh', (post, id) => chinese.writing(post, id, 'answer'), {
      error: { code: 4041, message: '资源不存在' },
    }),
  '/wechat_channels/fetch_video_detail': (p) =>
    singleResult(
      p('id') || p('exportId'),
      'zh',
      (post) => {
        return chinese.finderObject(post, p('id') || makeDigits(p('exportId'), 20));
      },
      {},
    ),
  '/tiktok/web/fetch_post_detail_v2': (p) =>
    singleResult(
      p('itemId'),
      'en',
      (post, id) => ({ statusCode: 0, itemInfo: { itemStruct: world.itemStruct(post, id) } }),
      { statusCode: 10204, itemInfo: {} },
    ),
  '/youtube/web/get_video_info_v3': (p) =>
    singleResult(p('video_id'), 'en', world.player, {
      playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' },
    }),
  '/twitter/web/fetch_tweet_detail': (p) => singleResult(p('tweet_id'), 'en', world.tweet, {}),
  '/instagram/v1/fetch_post_by_url_v2': (p) =>
    singleResult(lastPart(p('post_url')), 'en', world.instagramNode, {}),
};

type Page = {
  readonly posts: readonly DemoPost[];
  readonly next: number;
  readonly hasMore: boolean;
};

function page(keyword: string, language: Language, start: number, size = pageSize): Page {
  const matchingPosts = findMatching(demoPosts(language), keyword);
  const posts = matchingPosts.slice(start, start + size);
  return {
    posts,
    next: start + posts.length,
    hasMore: start + posts.length < matchingPosts.length,
  };
}

const byPage = (p: Parameters, name: string, language: Language, size = pageSize) =>
  page(p(name), language, (Number(p('page') || 1) - 1) * size, size);

const searches: Readonly<Record<string, DataFinder>> = {
  '/douyin/search/fetch_general_search_v2': (p) => {
    const { posts, next, hasMore } = page(p('keyword'), 'zh', Number(p('cursor') || 0));
    const cards = posts.map((post) => {
      return { type: 1, aweme_info: chinese.aweme(post, idOf('douyin', post)) };
    });
    const related = { type: 6, related_word_list: [{ related_word: p('keyword') }] };
    return {
      status_code: 0,
      data: [...cards, related],
      has_more: hasMore ? 1 : 0,
      cursor: next,
      extra: { logid: makeLetters(p('keyword'), 20) },
    };
  },
  '/xiaohongshu/web/search_notes_v3': (p) => {
    const { posts, hasMore } = byPage(p, 'keyword', 'zh');
    const items = posts.map((post) => ({
      model_type: 'note',
      note: chinese.note(post, idOf('xiaohongshu', post)),
    }));
    return { code: 0, success: true, data: { items, has_more: hasMore } };
  },
  '/kuaishou/app/search_video_v2': (p) => {
    const { posts, hasMore } = byPage(p, 'keyword', 'zh');
    const mixFeeds = posts.map((post) => ({
      feed: chinese.feed(post, idOf('kuaishou', post)),
    }));
    return { mixFeeds, pcursor: hasMore ? makeLetters(p('page'), 8) : 'no_more' };
  },
  '/bilibili/web/fetch_general_search': (p) => {
    const size = Number(p('page_size') || pageSize);
    const { posts } = byPage(p, 'keyword', 'zh', size);
    const total = findMatching(demoPosts('zh'), p('keyword')).length;
    const result = posts.map((post) =>
      chinese.bilibiliResult(post, idOf('bilibili', post), p('keyword')),
    );
    const course = { type: 'ketang', title: '课程', pubdate: 0 };
    const data = { numPages: Math.ceil(total / size), numResults: total };
    return { code: 0, data: { ...data, result: [...result, ...(total > 0 ? [course] : [])] } };
  },
  '/weibo/web_v2/fetch_advanced_search': (p) => {
    const { posts } = byPage(p, 'q', 'zh');
    const results = posts.map((post) => chinese.weiboResult(post, idOf('weibo', post)));
    return { parsed_data: { total: results.length, results } };
  },
  '/zhihu/web/fetch_article_search_v3': (p) => {
    const limit = Number(p('limit') || 20);
    const { posts, hasMore } = page(p('keyword'), 'zh', Number(p('offset') || 0), limit);
    const data = posts.map((post, index) => ({
      type: 'search_result',
      object: chinese.writing(post, idOf('zhihu', post), index % 2 === 0 ? 'article' : 'answer'),
    }));
    const advertisement = { type: 'knowledge_ad', object: { header: {} } };
    return { data: [...data, advertisement], paging: { is_end: !hasMore } };
  },
  '/wechat_channels/fetch_search_latest': (p) => ({
    media_list: page(p('keywords'), 'zh', 0, 20).posts.map((post) =>
      chinese.finderObject(post, idOf('wechatChannels', post)),
    ),
  }),
  '/tiktok/web/fetch_general_search': (p) => {
    const { posts, next, hasMore } = page(p('keyword'), 'en', Number(p('offset') || 0));
    const data = posts.map((post) => {
      return { type: 1, item: world.itemStruct(post, idOf('tiktok', post)) };
    });
    return {
      status_code: 0,
      data,
      has_more: hasMore ? 1 : 0,
      cursor: next,
    };
  },
  '/youtube/web/search_video': (p) => {
    const start = Number(p('continuation_token').replace(/^at-/, '') || 0);
    const { posts, next, hasMore } = page(p('search_query'), 'en', start);
    const videos = posts.map((post) => world.youtubeResult(post, idOf('youtube', post)));
    const token = hasMore ? `at-${next}` : null;
    return { number_of_videos: videos.length, continuation_token: token, videos };
  },
  '/twitter/web/fetch_search_timeline': (p) => {
    const start = Number(p('cursor').replace(/^at-/, '') || 0);
    const { posts, next, hasMore } = page(p('keyword'), 'en', start);
    const timeline = posts.map((post) => world.tweetRow(post, idOf('twitter', post)));
    const prompt = { type: 'module', text: 'Who to follow' };
    return { timeline: [...timeline, prompt], next_cursor: hasMore ? `at-${next}` : '' };
  },
  '/instagram/v1/fetch_search': (p) => {
    const { posts } = page(p('query'), 'en', 0, 50);
    const names = [...new Set(posts.map((post) => slug(post.company.name)))];
    const hashtags = names.map((name, position) => {
      return { position, hashtag: { name, id: makeDigits(name, 17), media_count: 50 - position } };
    });
    return { hashtags };
  },
  '/instagram/v1/fetch_hashtag_posts': (p) => {
    const posts = demoPosts('en').filter((post) => post.handle === p('hashtag'));
    const edges = posts.map((post) => ({
      node: world.instagramNode(post, idOf('instagram', post)),
    }));
    const page_info = { has_next_page: false, end_cursor: null };
    return { hashtag: { edge_hashtag_to_media: { count: edges.length, page_info, edges } } };
  },
};
