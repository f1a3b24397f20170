// Calls providers with TikHub's API, for all eleven platforms. A response is `{ code, data, message
// }`, with `data` in the platform's format. `code` 200 is success; a refusal is HTTP 4xx with
// `detail`.
import { z } from 'zod';
import type { ProviderFailure } from '../../capability.ts';
import { upstreamError } from '../../provider-failures.ts';
import { openProvider, type Provider, parse, parseValue } from '../../providers/provider.ts';
import type { SocialConfig } from '../../providers-config.ts';
import type { ProviderWorld } from '../../switches.ts';
import type { PlatformId } from '../platforms.ts';
import type { CallSignal, SocialProvider } from '../social-provider.ts';
import { text } from '../wire.ts';
import { bilibili } from './bilibili.ts';
import { douyin } from './douyin.ts';
import { hashtagRequest, hashtagSchema, instagram } from './instagram.ts';
import { kuaishou } from './kuaishou.ts';
import type { TikhubPlatform, TikhubRequest } from './platform.ts';
import { tiktok } from './tiktok.ts';
import { twitter } from './twitter.ts';
import { wechatChannels } from './wechat-channels.ts';
import { weibo } from './weibo.ts';
import { xiaohongshu } from './xiaohongshu.ts';
import { youtube } from './youtube.ts';
import { zhihu } from './zhihu.ts';

const modules: Readonly<Record<PlatformId, TikhubPlatform>> = {
  douyin,
  xiaohongshu,
  kuaishou,
  bilibili,
  weibo,
  zhihu,
  tiktok,
  youtube,
  twitter,
  instagram,
  wechat_channels: wechatChannels,
};

const envelope = z.object({ code: z.int(), message: text, data: z.unknown() });

/**
 * The body of a 404 for a post that does not exist. For a removed path, `detail` is `Not Found`; a
 * proxy sends other text. Neither means that the post does not exist.
 */
const postRefusal = z.looseObject({}).refine(({ detail }) => detail !== 'Not Found');

export function openTikhub(
  world: ProviderWorld,
  config: Extract<SocialConfig, { kind: 'tikhub' }>,
): SocialProvider {
  const provider = openProvider(world, {
    name: 'tikhub',
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
  return {
    name: 'tikhub',
    hasContent: (ref) => modules[ref.platform].contentRequest(ref) !== null,
    hasSearch: () => true,
    content: async (callSignal, ref) => {
      const { contentRequest, postSchema } = modules[ref.platform];
      const request = contentRequest(ref);
      if (request === null) return { kind: 'gone' };
      const response = await requestTikhub(provider, callSignal, request, postSchema);
      if (response.kind !== 'read') return response.kind === 'absent' ? { kind: 'gone' } : response;
      return response.value === null ? { kind: 'gone' } : { kind: 'post', post: response.value };
    },
    search: async (callSignal, platform, query) => {
      let searchQuery = query;
      if (platform === 'instagram') {
        const hashtag = await requestTikhub(
          provider,
          callSignal,
          hashtagRequest(query.keyword),
          hashtagSchema,
        );
        if (hashtag.kind === 'failed') return hashtag;
        if (hashtag.kind === 'absent' || hashtag.value === null) return noPosts;
        searchQuery = { ...query, keyword: hashtag.value };
      }
      const module = modules[platform];
      const response = await requestTikhub(
        provider,
        callSignal,
        module.searchRequest(searchQuery),
        module.pageSchema(searchQuery),
      );
      if (response.kind === 'failed') return response;
      return response.kind === 'absent' ? noPosts : { kind: 'found', ...response.value };
    },
    health: provider.health,
  };
}

const noPosts = { kind: 'found', posts: [], next: null } as const;

type TikhubValue<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'absent' }
  | ProviderFailure;

async function requestTikhub<T>(
  provider: Provider,
  { signal }: CallSignal,
  request: TikhubRequest,
  schema: z.ZodType<T>,
): Promise<TikhubValue<T>> {
  const path = `/api/v1${request.path}`;
  const result = await provider.read(
    {
      path,
      ...(request.query && { query: request.query }),
      // A search uses POST without side effects, so it can be retried.
      ...(request.json !== undefined && { method: 'POST', json: request.json, isRepeatable: true }),
      maxBytes: 8 * 2 ** 20,
      signal,
    },
    envelope,
  );
  if (result.kind === 'refused') {
    return upstreamError(`${provider.name} ${path} refused with ${result.status}`);
  }
  if (result.kind === 'absent') {
    const isAboutPost = parse(result.bytes, postRefusal).kind === 'parsed';
    return isAboutPost
      ? { kind: 'absent' }
      : provider.reportMalformed(path, 'it has no such path any more');
  }
  if (result.kind !== 'read') return result;
  const { code, message, data } = result.value;
  if (code === 404) return { kind: 'absent' };
  if (code !== 200 && code !== 0) {
    return upstreamError(`${provider.name} ${path}: code ${code}, ${message ?? 'no message'}`);
  }
  const parsed = parseValue(data, schema, ['data']);
  if (parsed.kind === 'parsed') return { kind: 'read', value: parsed.value };
  return provider.reportMalformed(path, parsed.problem);
}
