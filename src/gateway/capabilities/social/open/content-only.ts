// Creates a provider of one platform that supports single posts and no search.
import { unavailable } from '../../provider-failures.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PlatformId } from '../platforms.ts';
import type { SocialProvider } from '../social-provider.ts';

export function contentOnlyProvider(
  provider: Pick<Provider, 'name' | 'health'>,
  platform: PlatformId,
  content: SocialProvider['content'],
): SocialProvider {
  return {
    name: provider.name,
    hasContent: (ref) => ref.platform === platform,
    hasSearch: () => false,
    content,
    search: async () => unavailable(`${provider.name} has no search`, 30),
    health: provider.health,
  };
}
