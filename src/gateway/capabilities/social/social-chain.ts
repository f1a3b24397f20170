// Calls the providers of social data in order until one succeeds. When a provider reports a post as
// deleted, no other provider is called.

import type { Health, ProviderFailure } from '../capability.ts';
import { mergeFailures } from '../provider-failures.ts';
import type { SocialConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import type { PostRef } from './links/link.ts';
import { openBilibili } from './open/bilibili-open.ts';
import { openOembed } from './open/oembed.ts';
import { openYoutubeData } from './open/youtube-data.ts';
import { type PlatformId, platforms } from './platforms.ts';
import type {
  CallSignal,
  ContentResult,
  PostSearchResult,
  SocialProvider,
} from './social-provider.ts';
import type { PostSearchQuery } from './tikhub/platform.ts';
import { openTikhub } from './tikhub/tikhub.ts';

export type SocialChain = {
  content(signal: CallSignal, ref: PostRef): Promise<ProviderAttempt<ContentResult>>;
  /** `onlyProvider`: the provider that began the search; null: all are tried. */
  search(
    signal: CallSignal,
    platform: PlatformId,
    query: PostSearchQuery,
    onlyProvider: string | null,
  ): Promise<ProviderAttempt<PostSearchResult>>;
  health(): Health;
};

/** A result and the name of its provider. The name is empty when all providers failed. */
type ProviderAttempt<A> = { readonly provider: string; readonly result: A };

export function openSocialChain(
  world: ProviderWorld,
  configs: readonly SocialConfig[],
): SocialChain {
  const providers = configs.map((config) => openProvider(world, config));
  return {
    content: (signal, ref) =>
      callFirstWorking(
        providers.filter((provider) => provider.hasContent(ref)),
        (provider) => provider.content(signal, ref),
        ref.platform,
      ),
    search: (callSignal, platform, query, onlyProvider) =>
      callFirstWorking(
        providers.filter(
          (provider) =>
            provider.hasSearch(platform) && (onlyProvider ?? provider.name) === provider.name,
        ),
        (provider) => provider.search(callSignal, platform, query),
        platform,
      ),
    health: () => healthOf(providers),
  };
}

/** Healthy while every platform that can be searched has a healthy provider. */
function healthOf(providers: readonly SocialProvider[]): Health {
  const health = providers.map((provider) => provider.health());
  const isHealthyByName = new Map(health.map(({ name, healthy }) => [name, healthy]));
  const brokenPlatforms = platforms.filter(({ id }) => {
    const searchable = providers.filter((provider) => provider.hasSearch(id));
    return searchable.length > 0 && !searchable.some(({ name }) => isHealthyByName.get(name));
  });
  const healthy = brokenPlatforms.length === 0 && health.some((provider) => provider.healthy);
  const names = brokenPlatforms.map(({ id }) => id).join(', ');
  return {
    healthy,
    ...(brokenPlatforms.length > 0 && {
      reason: `Some platforms are unavailable right now: ${names}.`,
    }),
    providers: health,
  };
}

function openProvider(world: ProviderWorld, config: SocialConfig): SocialProvider {
  switch (config.kind) {
    case 'tikhub':
      return openTikhub(world, config);
    case 'bilibili':
      return openBilibili(world, config);
    case 'youtube-data':
      return openYoutubeData(world, config);
    case 'oembed':
      return openOembed(world, config);
  }
}

async function callFirstWorking<A extends { readonly kind: string }>(
  providers: readonly SocialProvider[],
  callProvider: (provider: SocialProvider) => Promise<A | ProviderFailure>,
  platform: PlatformId,
): Promise<ProviderAttempt<A | ProviderFailure>> {
  const failures: ProviderFailure[] = [];
  for (const provider of providers) {
    const result = await callProvider(provider);
    if (!isFailed(result)) return { provider: provider.name, result };
    failures.push(result);
  }
  return { provider: '', result: mergeFailures(failures, `This action on ${platform}`) };
}

function isFailed(result: { readonly kind: string }): result is ProviderFailure {
  return result.kind === 'failed';
}
