// A provider whose JSON responses are damaged at random. Every call ends with an outcome, and an
// outcome without an error has a result that is valid by the contract.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openServer, type UpstreamServer } from '../../demo/upstream/server.ts';
import { handleTikhub } from '../../demo/upstream/tikhub-endpoints.ts';
import { platforms } from '../../src/gateway/capabilities/social/platforms.ts';
import { openSocial } from '../../src/gateway/capabilities/social/social.ts';
import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestProviders, type TestProviders, testCall } from './test-providers.ts';

const seed = proofSeed();
const random = seededRandom(seed);
const rounds = proofSize(12, 1_000);

const text = z.string().min(1).nullable();
const count = z.int().min(0).nullable();
const size = z.number().positive().nullable();

const post = z.strictObject({
  id: z.string().min(1),
  url: z.url({ protocol: /^https$/ }),
  type: z.enum(['video', 'image', 'text', 'article']),
  title: text,
  text,
  author: z.strictObject({ id: text, name: text, url: text, avatar_url: text }),
  published_at: z.iso.datetime().nullable(),
  media: z.array(
    z.strictObject({
      type: z.enum(['video', 'image']),
      url: z.url({ protocol: /^https?$/ }),
      width: size,
      height: size,
      duration_seconds: size,
    }),
  ),
  metrics: z.strictObject({
    views: count,
    likes: count,
    comments: count,
    shares: count,
    favorites: count,
  }),
  tags: z.array(z.string()),
  language: text,
});

const content = z.object({ post });
const search = z.object({ posts: z.array(post), next_page: z.string().nullable() });

const oddities: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  1e300,
  true,
  [],
  {},
  '1.2万',
  '<b>',
  'javascript:alert(1)',
  '\u0000',
];

/** Replaces or removes random values in the tree. `chance`: the share of damaged values. */
function damageValue(value: unknown, chance: number, random: Random): unknown {
  if (random.next() < chance) return oddities[Math.floor(random.next() * oddities.length)];
  if (Array.isArray(value)) return value.map((element) => damageValue(element, chance, random));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(() => random.next() >= chance / 2);
  return Object.fromEntries(
    fields.map(([name, member]) => [name, damageValue(member, chance, random)]),
  );
}

let providers: TestProviders;
let server: UpstreamServer;
beforeAll(async () => {
  providers = await openTestProviders();
  server = await openServer((request) => {
    const { body, ...reply } = handleTikhub(request);
    const { data, ...envelope } = JSON.parse(body.toString());
    const damagedData = damageValue(data, 0.03, random);
    return { ...reply, body: JSON.stringify({ ...envelope, data: damagedData }) };
  });
});
afterAll(async () => {
  await server.close();
  await providers.close();
});

const linkInputs: Readonly<Record<string, string>> = {
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

const title = `damaged responses of %s give a valid result or a failure (seed ${seed})`;

test.each(platforms.map(({ id }) => id))(title, async (platform) => {
  const outcomes = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    // Each round has new circuit breakers, because invalid responses would open them.
    const damagingProvider = { ...providers.upstream.config.social[0], url: server.url };
    const social = openSocial(providers.world, providers.config({ social: [damagingProvider] }));
    const { context } = testCall(providers.world);
    const params = { url: linkInputs[platform] };
    const contentResult = await social.run(
      context,
      social.input.parse({ platform, action: 'content', params }),
    );
    const keyword = ['tiktok', 'youtube', 'twitter', 'instagram'].includes(platform) ? 'a' : '看懂';
    const input = { platform, action: 'search', params: { keyword } };
    const searchResult = await social.run(context, social.input.parse(input));
    if (contentResult.kind === 'done') content.parse(contentResult.data);
    if (searchResult.kind === 'done') search.parse(searchResult.data);
    for (const outcome of [contentResult, searchResult]) {
      outcomes.add(outcome.kind === 'failed' ? outcome.code : outcome.kind);
    }
  }
  const expectedCodes = ['done', 'media_unavailable', 'upstream_error'];
  expect([...outcomes].filter((kind) => !expectedCodes.includes(kind))).toEqual([]);
});
