// Social data over real HTTP: a post of every platform, searches and their pages, and every failure
// of a provider.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import { platforms } from '../../src/gateway/capabilities/social/platforms.ts';
import type { Post } from '../../src/gateway/capabilities/social/post.ts';
import { openSocial } from '../../src/gateway/capabilities/social/social.ts';
import type { SocialInput } from '../../src/gateway/capabilities/social/social-input.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { dataOf, openTestProviders, type TestProviders, testCall } from './test-providers.ts';

let providers: TestProviders;
let social: Capability<SocialInput>;

beforeAll(async () => {
  providers = await openTestProviders();
});
afterAll(() => providers.close());
beforeEach(() => {
  // New circuit breakers, because a failure in one test opens them for half a minute.
  social = openSocial(providers.world, providers.config());
  for (const server of Object.values(providers.upstream.servers)) server.setFault(null);
});

const callSocial = (input: unknown, capability = social) => {
  const parsedInput = capability.input.parse(input);
  capability.check?.(parsedInput);
  return capability.run(testCall(providers.world).context, parsedInput);
};
const contentOf = (platform: string, url: string) =>
  callSocial({ platform, action: 'content', params: { url } });
const searchPosts = (platform: string, params: object) =>
  callSocial({ platform, action: 'search', params });
const tikhubOnly = () =>
  openSocial(providers.world, providers.config({ social: [providers.config().social[0]] }));

const links: Readonly<Record<string, string>> = {
  douyin: 'https://www.douyin.com/video/7412345678901234567',
  xiaohongshu: 'https://www.xiaohongshu.com/explore/66d0a1b2000000001e01c3f4',
  kuaishou: 'https://www.kuaishou.com/short-video/3xtqg8m4w9yrvje',
  bilibili: 'https://www.bilibili.com/video/BV1ft6hYxE75',
  weibo: 'https://m.weibo.cn/status/3501756485200075',
  zhihu: 'https://zhuanlan.zhihu.com/p/661234567',
  wechat_channels: 'https://channels.weixin.qq.com/web/pages/feed?oid=14846516519852050449',
  tiktok: 'https://www.tiktok.com/@demo/video/7399999999999999999',
  youtube: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  twitter: 'https://x.com/i/status/1835124037934367098',
  instagram: 'https://www.instagram.com/p/DPwhVB-jo9k/',
};

describe('a post', () => {
  test('of Douyin is returned whole', async () => {
    const data = dataOf(await contentOf('dy', links.douyin ?? ''));
    expect(data).toEqual({
      platform: 'douyin',
      post: {
        id: '7412345678901234567',
        url: 'https://www.douyin.com/video/7412345678901234567',
        type: 'video',
        title: null,
        text: expect.stringMatching(/^.+。.+。 #.+ #人工智能$/),
        author: {
          id: expect.stringMatching(/^7\d{14}$/),
          name: expect.stringMatching(/^\p{Script=Han}+$/u),
          url: expect.stringMatching(/^https:\/\/www\.douyin\.com\/user\/MS4wLjAB/),
          avatar_url: expect.stringMatching(/^https:\/\/cdn\.example\/avatar\//),
        },
        published_at: expect.stringMatching(/^2026-06-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        media: [
          {
            type: 'video',
            url: expect.stringMatching(/^https:\/\/cdn\.example\/dy\/\d+\.mp4$/),
            width: 1080,
            height: 1920,
            duration_seconds: expect.any(Number),
          },
        ],
        metrics: {
          // Douyin writes 0 because it does not publish the count; the result is null.
          views: null,
          likes: expect.any(Number),
          comments: expect.any(Number),
          shares: expect.any(Number),
          favorites: expect.any(Number),
        },
        tags: [expect.any(String), '人工智能'],
        language: null,
      },
    });
  });

  test.each(platforms.map(({ id }) => id))(
    'of %s has its id, writer, text and time',
    async (id) => {
      const { platform, post } = dataOf(await contentOf(id, links[id] ?? '')) as never as {
        platform: string;
        post: Post;
      };
      expect(platform).toBe(id);
      expect(links[id]).toContain(post.id);
      expect(post.author.name).toBeTruthy();
      expect(post.text).toBeTruthy();
      expect(post.published_at).toMatch(/^2026-06-/);
      expect(post.metrics.likes).toBeGreaterThan(0);
    },
  );

  test('does not name the provider, neither in a post nor in a search', async () => {
    const post = await contentOf('tiktok', links.tiktok ?? '');
    const foundPosts = await searchPosts('twitter', { keyword: 'model' });
    const text = JSON.stringify([dataOf(post), dataOf(foundPosts)]);
    expect(text).toContain('"posts":[{');
    for (const name of ['"provider"', ...providers.config().social.map(({ kind }) => kind)]) {
      expect([name, text.includes(name)]).toEqual([name, false]);
    }
  });

  test('of a short link is found at the link’s target', async () => {
    const data = dataOf(await contentOf('douyin', '看看 https://v.douyin.com/iRNBho6u/ 复制'));
    expect(data).toMatchObject({ post: { id: expect.stringMatching(/^7\d{18}$/) } });
  });

  test('of an answer on Zhihu is requested as an answer', async () => {
    const url = 'https://www.zhihu.com/question/381784377/answer/1099438784';
    expect(dataOf(await contentOf('zhihu', url))).toMatchObject({ post: { id: '1099438784' } });
  });
});

describe('a missing post', () => {
  test.each([
    ['douyin', 'https://www.douyin.com/video/7412345678901230404'],
    ['xiaohongshu', 'https://www.xiaohongshu.com/explore/66d0a1b2000000001e010404'],
    ['kuaishou', 'https://www.kuaishou.com/short-video/3xgone12345'],
    ['bilibili', 'https://www.bilibili.com/video/BV1gone6hYxE'],
    ['weibo', 'https://m.weibo.cn/status/3501756485200404'],
    ['zhihu', 'https://zhuanlan.zhihu.com/p/66120404'],
    ['wechat_channels', 'https://channels.weixin.qq.com/web/pages/feed?oid=14846516519852040404'],
    ['tiktok', 'https://www.tiktok.com/@demo/video/7399999999999990404'],
    ['youtube', 'https://www.youtube.com/watch?v=gone4w9WgXc'],
    ['twitter', 'https://x.com/i/status/1835124037934360404'],
    ['instagram', 'https://www.instagram.com/p/gone_VB-jo9k/'],
    ['douyin', 'https://v.douyin.com/gone123/'],
  ])('on %s fails with media_unavailable: %s', async (platform, url) => {
    expect(await contentOf(platform, url)).toMatchObject({
      kind: 'failed',
      code: 'media_unavailable',
    });
  });

  test('refuses a short link to another platform', async () => {
    const url = 'https://t.co/abc?to=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ';
    expect(await contentOf('twitter', url)).toMatchObject({
      code: 'media_unavailable',
      message: 'The link leads to youtube, not to twitter.',
    });
  });

  test('does not follow a short link into a private network', async () => {
    const url = 'https://t.co/abc?to=http%3A%2F%2F169.254.169.254%2Flatest';
    expect(await contentOf('twitter', url)).toMatchObject({
      code: 'media_unavailable',
      internal: 'it leads to another host',
    });
  });
});

describe('a search', () => {
  test.each(platforms.map(({ id }) => id))('on %s finds posts and ends', async (id) => {
    const isEnglish = ['tiktok', 'youtube', 'twitter', 'instagram'].includes(id);
    const keyword = isEnglish ? 'Tessarune' : '澄砚';
    const ids: string[] = [];
    let page: string | undefined;
    let calls = 0;
    do {
      const outcome = await searchPosts(id, { keyword, ...(page !== undefined && { page }) });
      expect(outcome).toMatchObject({ kind: 'done' });
      const data = dataOf(outcome) as { posts: Post[]; next_page: string | null };
      ids.push(...data.posts.map((post) => post.id));
      page = data.next_page ?? undefined;
      calls += 1;
    } while (page !== undefined && calls < 10);
    expect(page).toBeUndefined();
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('returns at most the limit, and the other posts on the next page', async () => {
    const results = dataOf(await searchPosts('wechat_channels', { keyword: '看懂' })) as {
      posts: Post[];
    };
    const allIds = results.posts.map(({ id }) => id);
    const pagedIds: string[] = [];
    expect(results.posts.length).toBeGreaterThan(2);
    let page: string | null = null;
    do {
      const params = { keyword: '看懂', limit: 2, ...(page !== null && { page }) };
      const data = dataOf(await searchPosts('wechat_channels', params)) as {
        posts: Post[];
        next_page: string | null;
      };
      expect(data.posts.length).toBeLessThanOrEqual(2);
      pagedIds.push(...data.posts.map(({ id }) => id));
      page = data.next_page;
    } while (page !== null);
    expect(pagedIds).toEqual(allIds);
  });

  test('without results succeeds and costs nothing', async () => {
    expect(await searchPosts('weibo', { keyword: 'zzzz' })).toEqual({
      kind: 'done',
      quantity: 0,
      data: { platform: 'weibo', keyword: 'zzzz', posts: [], next_page: null },
    });
  });

  test('omits a time without a zone', async () => {
    const data = dataOf(await searchPosts('weibo', { keyword: '澄砚' })) as { posts: Post[] };
    expect(data.posts.map((post) => post.published_at)).toEqual(data.posts.map(() => null));
  });
});

describe('refuses before any request', () => {
  test.each([
    [{ platform: 'myspace', action: 'content', params: { url: 'x' } }, /douyin \(dy\)/],
    [{ platform: 'dy', action: 'delete', params: {} }, /content, search/],
    [{ platform: 'dy', action: 'search', params: { keyword: '' } }, /1 to 200 characters/],
    [{ platform: 'dy', action: 'search', params: { keyword: 'a', limit: 51 } }, /50/],
    [{ platform: 'dy', action: 'content', params: { url: 'x' }, extra: 1 }, /extra/],
  ])('%o', (input, message) => {
    expect(() => social.input.parse(input)).toThrow(message);
  });

  test.each([
    ['douyin', links.kuaishou, 'params.url is a link of kuaishou, and platform is douyin.'],
    ['douyin', 'https://example.com/video/1', 'params.url contains no link of a known platform.'],
    ['twitter', 'https://x.com/tessarune', 'params.url leads to no single post of twitter.'],
  ])('on %s the link %s', (platform, url, message) => {
    const input = social.input.parse({ platform, action: 'content', params: { url } });
    expect(() => social.check?.(input)).toThrow(message);
  });

  test('a cursor of another search', async () => {
    const firstPage = dataOf(await searchPosts('twitter', { keyword: 'a', limit: 1 }));
    const params = { keyword: 'b', page: firstPage.next_page };
    const input = social.input.parse({ platform: 'twitter', action: 'search', params });
    expect(() => social.check?.(input)).toThrow('params.page is not a next_page value');
  });
});

describe('a failing provider', () => {
  test('is replaced by the next provider', async () => {
    providers.upstream.servers.tikhub.setFault('broken');
    const data = dataOf(await contentOf('bilibili', links.bilibili ?? ''));
    expect(data).toMatchObject({ post: { id: 'BV1ft6hYxE75' } });
    const video = dataOf(await contentOf('youtube', links.youtube ?? ''));
    expect(video).toMatchObject({ post: { language: 'en' } });
    const quotedPost = dataOf(await contentOf('twitter', links.twitter ?? ''));
    expect(quotedPost).toMatchObject({
      post: { metrics: { likes: null, views: null }, published_at: null },
    });
  });

  test.each([
    ['broken', 'upstream_error', 'tikhub answered 500'],
    ['busy', 'capability_unavailable', 'tikhub is paused for 7 s'],
    ['resting', 'capability_unavailable', 'tikhub is paused for 12 s'],
    ['locked', 'capability_unavailable', 'its key or its credit is refused'],
    ['truncated', 'upstream_error', 'tikhub: GET '],
    ['changed', 'upstream_error', 'field data.aweme_detail'],
  ] as const)('that is %s gives %s, and the log has the cause', async (fault, code, internal) => {
    providers.upstream.servers.tikhub.setFault(fault);
    const outcome = await callSocial(
      { platform: 'douyin', action: 'content', params: { url: links.douyin } },
      tikhubOnly(),
    );
    expect(outcome).toMatchObject({
      kind: 'failed',
      code,
      internal: expect.stringContaining(internal),
      ...(fault === 'busy' && { retryAfterSeconds: 7 }),
    });
    expect(JSON.stringify(outcome)).not.toContain('demo-tikhub-key');
  });

  test('that does not respond gives upstream_timeout', async () => {
    providers.upstream.servers.tikhub.setFault('slow');
    const slowSocial = openSocial(
      providers.world,
      providers.config({ social: [{ ...providers.config().social[0], timeoutMs: 100 }] }),
    );
    const params = { url: links.douyin };
    const outcome = await callSocial({ platform: 'douyin', action: 'content', params }, slowSocial);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'upstream_timeout' });
  });

  test.each(platforms.map(({ id }) => id))(
    'with a changed format on %s names a field',
    async (id) => {
      providers.upstream.servers.tikhub.setFault('changed');
      const params = { url: links[id] };
      const outcome = await callSocial({ platform: id, action: 'content', params }, tikhubOnly());
      expect(outcome).toMatchObject({
        code: 'upstream_error',
        internal: expect.stringMatching(/field data\b/),
      });
    },
  );

  test.each([
    ['douyin', { action: 'content', params: { url: links.douyin } }],
    ['douyin', { action: 'search', params: { keyword: '澄砚' } }],
    ['bilibili', { action: 'content', params: { url: links.bilibili } }],
    ['youtube', { action: 'search', params: { keyword: 'a' } }],
  ])('with a moved path of %s is a failure and not a missing post: %j', async (platform, input) => {
    const [firstConfig, ...otherConfigs] = providers.upstream.config.social;
    const kind = platform === 'youtube' ? 'youtube-data' : platform;
    const providerConfig = otherConfigs.find((config) => config.kind === kind) ?? firstConfig;
    const movedSocial = openSocial(
      providers.world,
      providers.config({ social: [{ ...providerConfig, url: `${providerConfig.url}/v9` }] }),
    );
    expect(await callSocial({ platform, ...input }, movedSocial)).toMatchObject({
      kind: 'failed',
      code: 'upstream_error',
      internal: expect.stringMatching(/no such path|refused with 404/),
    });
  });

  test.each(platforms.map(({ id }) => id))(
    'with a changed format on %s is not an empty result',
    async (id) => {
      const isEnglish = ['tiktok', 'youtube', 'twitter', 'instagram'].includes(id);
      const params = { keyword: isEnglish ? 'a first look' : '澄砚' };
      const input = { platform: id, action: 'search', params };
      const { posts } = dataOf(await callSocial(input, tikhubOnly())) as { posts: Post[] };
      const firstPost = requirePresent(posts[0], 'a post');
      providers.upstream.servers.tikhub.setFault('changed');
      expect(await callSocial(input, tikhubOnly())).toMatchObject({
        kind: 'failed',
        code: 'upstream_error',
        internal: expect.stringMatching(/field data\b/),
      });
      providers.upstream.servers.tikhub.setFault(null);
      // A URL from a search result is accepted by the content call.
      const { url, author } = firstPost;
      expect(dataOf(await contentOf(id, url ?? ''))).toMatchObject({
        post: { id: firstPost.id, author: { name: author?.name } },
      });
    },
  );

  test('is suspended after repeated failures, and health reports it', async () => {
    providers.upstream.servers.tikhub.setFault('broken');
    const withOneProvider = tikhubOnly();
    const input = { platform: 'douyin', action: 'content', params: { url: links.douyin } };
    for (let attempt = 0; attempt < 5; attempt += 1) await callSocial(input, withOneProvider);
    const { length } = providers.upstream.servers.tikhub.requests;
    expect(await callSocial(input, withOneProvider)).toMatchObject({
      code: 'capability_unavailable',
    });
    expect(providers.upstream.servers.tikhub.requests).toHaveLength(length);
    expect(withOneProvider.health()).toMatchObject({
      healthy: false,
      providers: [{ name: 'tikhub', healthy: false, calls: 5, failures: 5 }],
    });
  });

  test('makes social data unhealthy when a platform has no other provider', async () => {
    const { social: configured } = providers.config();
    const withAllProviders = openSocial(providers.world, providers.config({ social: configured }));
    expect(withAllProviders.health()).toMatchObject({ healthy: true });
    const params = { keyword: 'upstream:busy' };
    await callSocial({ platform: 'douyin', action: 'search', params }, withAllProviders);
    expect(withAllProviders.health()).toMatchObject({
      healthy: false,
      reason: expect.stringMatching(/^Some platforms are unavailable right now: douyin, /),
    });
    expect(withAllProviders.health().providers.some(({ healthy }) => healthy)).toBe(true);
  });

  test('without configuration names the missing settings', async () => {
    const noProvider = openSocial(providers.world, providers.config({ social: [] }));
    expect(await noProvider.missing()).toBe('Social data needs an entry in providers.social.');
    expect(await social.missing()).toBeNull();
  });
});

describe('the sandbox', () => {
  const sandbox = async (params: object, action = 'search') => {
    const input = social.input.parse({ platform: 'douyin', action, params });
    social.check?.(input);
    return social.sandbox(testCall(providers.world, { livemode: false }).context, input);
  };

  test('responds without any provider', async () => {
    const requestsBefore = providers.upstream.servers.tikhub.requests.length;
    expect(await sandbox({ keyword: 'anything' })).toMatchObject({ kind: 'done', quantity: 1 });
    expect(await sandbox({ url: links.douyin }, 'content')).toMatchObject({
      data: { post: { id: '7412345678901234567' } },
    });
    expect(providers.upstream.servers.tikhub.requests).toHaveLength(requestsBefore);
  });

  test('returns the outcome that its sandbox inputs request', async () => {
    expect(await sandbox({ keyword: 'sandbox:empty' })).toMatchObject({ quantity: 0 });
    expect(await sandbox({ keyword: 'sandbox:upstream_timeout' })).toMatchObject({
      code: 'upstream_timeout',
    });
    const url = 'https://www.douyin.com/video/sandbox:media_unavailable';
    expect(await sandbox({ url }, 'content')).toMatchObject({ code: 'media_unavailable' });
    await expect(sandbox({ keyword: 'sandbox:nonsense' })).rejects.toThrow(
      'no input of the sandbox',
    );
  });
});
