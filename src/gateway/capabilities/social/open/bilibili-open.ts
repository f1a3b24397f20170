// Reads posts from bilibili's own public view endpoint, `GET /x/web-interface/view?bvid=`.

import { upstreamError } from '../../provider-failures.ts';
import { openProvider } from '../../providers/provider.ts';
import type { SocialConfig } from '../../providers-config.ts';
import type { ProviderWorld } from '../../switches.ts';
import { bilibiliView } from '../bilibili-view.ts';
import type { SocialProvider } from '../social-provider.ts';
import { contentOnlyProvider } from './content-only.ts';

export function openBilibili(
  world: ProviderWorld,
  config: Extract<SocialConfig, { kind: 'bilibili' }>,
): SocialProvider {
  const provider = openProvider(world, {
    name: 'bilibili',
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    // bilibili returns 412 for requests without a plausible referrer.
    headers: { referer: 'https://www.bilibili.com/' },
  });
  return contentOnlyProvider(provider, 'bilibili', async ({ signal }, { id }) => {
    const request = { path: '/x/web-interface/view', query: { bvid: id }, signal };
    const response = await provider.read(request, bilibiliView);
    // Deleted posts are reported inside a 200, so a 404 means that the path is gone.
    if (response.kind === 'absent') return upstreamError('bilibili has no such path any more');
    if (response.kind === 'refused')
      return upstreamError(`bilibili refused with ${response.status}`);
    if (response.kind === 'failed') return response;
    return response.value === null ? { kind: 'gone' } : { kind: 'post', post: response.value };
  });
}
