// Defines the interface of providers of social data: a provider of all platforms, or a public
// endpoint of one platform.
import type { ProviderFailure, ProviderHealth, RunContext } from '../capability.ts';
import type { PostRef } from './links/link.ts';
import type { PlatformId } from './platforms.ts';
import type { Post } from './post.ts';
import type { PostPage, PostSearchQuery } from './tikhub/platform.ts';

export type CallSignal = Pick<RunContext, 'signal'>;

export type ContentResult =
  | { readonly kind: 'post'; readonly post: Post }
  /** Deleted, private, or nonexistent. */
  | { readonly kind: 'gone' }
  | ProviderFailure;

export type PostSearchResult = ({ readonly kind: 'found' } & PostPage) | ProviderFailure;

export type SocialProvider = {
  readonly name: string;
  hasContent(ref: PostRef): boolean;
  hasSearch(platform: PlatformId): boolean;
  content(callSignal: CallSignal, ref: PostRef): Promise<ContentResult>;
  search(
    callSignal: CallSignal,
    platform: PlatformId,
    query: PostSearchQuery,
  ): Promise<PostSearchResult>;
  health(): ProviderHealth;
};
