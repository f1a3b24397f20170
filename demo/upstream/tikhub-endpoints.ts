// Simulates a provider in TikHub's format: its paths, key, envelope and pages.
import {
  type DemoPost,
  demoPosts,
  findMatching,
  idOf,
  type Language,
  makeDigits,
  makeLetters,
  postFor,
  slugOf,
} from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';
import * as chinese from './tikhub-chinese.ts';
import * as international from './tikhub-world.ts';

export const tikhubKey = 'demo-tikhub-key';

/** Number of search results per page. */
const pageSize = 5;

export function handleTikhub(request: UpstreamRequest): Reply {
  if (request.headers.authorization !== `Bearer ${tikhubKey}`) {
    const detail = { code: 401, message: 'Invalid API token.' };
    return jsonReply({ detail }, 401);
  }
  const path = request.path.replace(/^\/api\/v1/, '');
  const findData = postFinders[path] ?? searchFinders[path];
  if (!findData) return jsonReply({ detail: 'Not Found' }, 404);
  const data = findData(parametersOf(request));
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

const postFinders: Readonly<Record<string, DataFinder>> = {
  '/douyin/web/fetch_one_video_by_share_url': (parameter) => {
    const filter_detail = { filter_reason: 'status_self_see', detail_msg: '作品不可见' };
    const aweme_detail = singleResult(lastPart(parameter('share_url')), 'zh', chinese.aweme, null);
    return { aweme_detail, ...(aweme_detail === null && { filter_detail }) };
  },
  '/xiaohongshu/web/get_note_info_v7': (parameter) => {
    const note = singleResult(parameter('note_id'), 'zh', chinese.note, null);
    return note === null ? [] : [{ user: {}, note_list: [note] }];
  },
  '/kuaishou/web/fetch_one_video_by_url': (parameter) => ({
    result: 1,
    photo: singleResult(lastPart(parameter('url')), 'zh', chinese.photo, null),
  }),
  '/bilibili/web/fetch_one_video_v3': (parameter) => {
    const data = singleResult(lastPart(parameter('url')), 'zh', chinese.view, null);
    return data === null ? { code: -404, message: '啥都木有' } : { code: 0, message: 'OK', data };
  },
  '/weibo/web_v2/fetch_post_detail': (parameter) =>
    singleResult(parameter('id'), 'zh', chinese.status, {
      ok: 0,
      error_code: 20101,
      message: '该微博不存在',
    }),
  '/zhihu/web/fetch_column_article_detail': (parameter) =>
    singleResult(
      parameter('article_id'),
      'zh',
      (post, id) => chinese.writing(post, id, 'article'),
      {
        error: { code: 4041, message: '资源不存在' },
      },
    ),
  '/zhihu/web/fetch_answer_detail': (parameter) =>
    singleResult(parameter('answer_id'), 'zh', (post, id) => chinese.writing(post, id, 'answer'), {
      error: { code: 4041, message: '资源不存在' },
    }),
  '/wechat_channels/fetch_video_detail': (parameter) =>
    singleResult(
      parameter('id') || parameter('exportId'),
      'zh',
      (post) => {
        return chinese.finderObject(post, parameter('id') || makeDigits(parameter('exportId'), 20));
      },
      {},
    ),
  '/tiktok/web/fetch_post_detail_v2': (parameter) =>
    singleResult(
      parameter('itemId'),
      'en',
      (post, id) => ({
        statusCode: 0,
        itemInfo: { itemStruct: international.itemStruct(post, id) },
      }),
      { statusCode: 10204, itemInfo: {} },
    ),
  '/youtube/web/get_video_info_v3': (parameter) =>
    singleResult(parameter('video_id'), 'en', international.player, {
      playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' },
    }),
  '/twitter/web/fetch_tweet_detail': (parameter) =>
    singleResult(parameter('tweet_id'), 'en', international.tweet, {}),
  '/instagram/v1/fetch_post_by_url_v2': (parameter) =>
    singleResult(lastPart(parameter('post_url')), 'en', international.instagramNode, {}),
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

const byPage = (parameter: Parameters, name: string, language: Language, size = pageSize) =>
  page(parameter(name), language, (Number(parameter('page') || 1) - 1) * size, size);

const searchFinders: Readonly<Record<string, DataFinder>> = {
  '/douyin/search/fetch_general_search_v2': (parameter) => {
    const { posts, next, hasMore } = page(
      parameter('keyword'),
      'zh',
      Number(parameter('cursor') || 0),
    );
    const cards = posts.map((post) => {
      return { type: 1, aweme_info: chinese.aweme(post, idOf('douyin', post)) };
    });
    const related = { type: 6, related_word_list: [{ related_word: parameter('keyword') }] };
    return {
      status_code: 0,
      data: [...cards, related],
      has_more: hasMore ? 1 : 0,
      cursor: next,
      extra: { logid: makeLetters(parameter('keyword'), 20) },
    };
  },
  '/xiaohongshu/web/search_notes_v3': (parameter) => {
    const { posts, hasMore } = byPage(parameter, 'keyword', 'zh');
    const items = posts.map((post) => ({
      model_type: 'note',
      note: chinese.note(post, idOf('xiaohongshu', post)),
    }));
    return { code: 0, success: true, data: { items, has_more: hasMore } };
  },
  '/kuaishou/app/search_video_v2': (parameter) => {
    const { posts, hasMore } = byPage(parameter, 'keyword', 'zh');
    const mixFeeds = posts.map((post) => ({
      feed: chinese.feed(post, idOf('kuaishou', post)),
    }));
    return { mixFeeds, pcursor: hasMore ? makeLetters(parameter('page'), 8) : 'no_more' };
  },
  '/bilibili/web/fetch_general_search': (parameter) => {
    const size = Number(parameter('page_size') || pageSize);
    const { posts } = byPage(parameter, 'keyword', 'zh', size);
    const total = findMatching(demoPosts('zh'), parameter('keyword')).length;
    const result = posts.map((post) =>
      chinese.bilibiliResult(post, idOf('bilibili', post), parameter('keyword')),
    );
    const course = { type: 'ketang', title: '课程', pubdate: 0 };
    const data = { numPages: Math.ceil(total / size), numResults: total };
    return { code: 0, data: { ...data, result: [...result, ...(total > 0 ? [course] : [])] } };
  },
  '/weibo/web_v2/fetch_advanced_search': (parameter) => {
    const { posts } = byPage(parameter, 'q', 'zh');
    const results = posts.map((post) => chinese.weiboResult(post, idOf('weibo', post)));
    return { parsed_data: { total: results.length, results } };
  },
  '/zhihu/web/fetch_article_search_v3': (parameter) => {
    const limit = Number(parameter('limit') || 20);
    const { posts, hasMore } = page(
      parameter('keyword'),
      'zh',
      Number(parameter('offset') || 0),
      limit,
    );
    const data = posts.map((post, index) => ({
      type: 'search_result',
      object: chinese.writing(post, idOf('zhihu', post), index % 2 === 0 ? 'article' : 'answer'),
    }));
    const advertisement = { type: 'knowledge_ad', object: { header: {} } };
    return { data: [...data, advertisement], paging: { is_end: !hasMore } };
  },
  '/wechat_channels/fetch_search_latest': (parameter) => ({
    media_list: page(parameter('keywords'), 'zh', 0, 20).posts.map((post) =>
      chinese.finderObject(post, idOf('wechatChannels', post)),
    ),
  }),
  '/tiktok/web/fetch_general_search': (parameter) => {
    const { posts, next, hasMore } = page(
      parameter('keyword'),
      'en',
      Number(parameter('offset') || 0),
    );
    const data = posts.map((post) => {
      return { type: 1, item: international.itemStruct(post, idOf('tiktok', post)) };
    });
    return {
      status_code: 0,
      data,
      has_more: hasMore ? 1 : 0,
      cursor: next,
    };
  },
  '/youtube/web/search_video': (parameter) => {
    const start = Number(parameter('continuation_token').replace(/^at-/, '') || 0);
    const { posts, next, hasMore } = page(parameter('search_query'), 'en', start);
    const videos = posts.map((post) => international.youtubeResult(post, idOf('youtube', post)));
    const token = hasMore ? `at-${next}` : null;
    return { number_of_videos: videos.length, continuation_token: token, videos };
  },
  '/twitter/web/fetch_search_timeline': (parameter) => {
    const start = Number(parameter('cursor').replace(/^at-/, '') || 0);
    const { posts, next, hasMore } = page(parameter('keyword'), 'en', start);
    const timeline = posts.map((post) => international.tweetRow(post, idOf('twitter', post)));
    const prompt = { type: 'module', text: 'Who to follow' };
    return { timeline: [...timeline, prompt], next_cursor: hasMore ? `at-${next}` : '' };
  },
  '/instagram/v1/fetch_search': (parameter) => {
    const { posts } = page(parameter('query'), 'en', 0, 50);
    const names = [...new Set(posts.map((post) => slugOf(post.company.name)))];
    const hashtags = names.map((name, position) => {
      return { position, hashtag: { name, id: makeDigits(name, 17), media_count: 50 - position } };
    });
    return { hashtags };
  },
  '/instagram/v1/fetch_hashtag_posts': (parameter) => {
    const posts = demoPosts('en').filter((post) => post.handle === parameter('hashtag'));
    const edges = posts.map((post) => ({
      node: international.instagramNode(post, idOf('instagram', post)),
    }));
    const page_info = { has_next_page: false, end_cursor: null };
    return { hashtag: { edge_hashtag_to_media: { count: edges.length, page_info, edges } } };
  },
};
