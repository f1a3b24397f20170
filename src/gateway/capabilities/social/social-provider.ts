// Who fulfils social data: one shape for a supplier of all platforms and for a public endpoint of
// one.
import type { Failed, ProviderHealth, RunContext } from '../capability.ts';
import type { PostRef } from './links/link.ts';
import type { PlatformId } from './platforms.ts';
import type { Post } from './post.ts';
import type { Found, SearchQuery } from './tikhub/platform.ts';

export type Asking = Pick<RunContext, 'signal'>;

export type ContentAnswer =
  | { readonly kind: 'post'; readonly post: Post }
  /** Deleted, private, or never there. */
  | { readonly kind: 'gone' }
  | Failed;

export type SearchAnswer = ({ readonly kind: 'found' } & Found) | Failed;

export type SocialProvider = {
  readonly name: string;
  hasContent(ref: PostRef): boolean;
  hasSearch(platform: PlatformId): boolean;
  content(asking: Asking, ref: PostRef): Promise<ContentAnswer>;
  search(asking: Asking, platform: PlatformId, query: SearchQuery): Promise<SearchAnswer>;
  health(): ProviderHealth;
};
