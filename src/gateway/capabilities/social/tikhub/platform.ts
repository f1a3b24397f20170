// Defines the interface of one platform at a provider with TikHub's API: the request, and the
// schema of the response's `data`. The data has the platform's own format.
import type { z } from 'zod';
import type { PostRef } from '../links/link.ts';
import type { Post } from '../post.ts';

export type TikhubRequest = {
  /** After `/api/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly json?: unknown;
};

export type PostSearchQuery = {
  readonly keyword: string;
  /** `next` of the previous page; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
};

export type PostPage = { readonly posts: readonly Post[]; readonly next: string | null };

export type TikhubPlatform = {
  /** Null: the provider does not offer this kind of post. */
  contentRequest(ref: PostRef): TikhubRequest | null;
  /** The post in `data`; null: deleted, private or nonexistent. */
  readonly postSchema: z.ZodType<Post | null>;
  searchRequest(query: PostSearchQuery): TikhubRequest;
  pageSchema(query: PostSearchQuery): z.ZodType<PostPage>;
};

/**
 * Error for a result card that must be a post but lacks a field. Without this error, a provider
 * that renames a field would appear to have no results.
 */
export const missingFieldIssue = (field: string) => ({
  path: [field],
  message: 'missing in a card that is a post',
});

/** The next page number, unless this page was empty. */
export function nextPage(query: PostSearchQuery, count: number, hasMore = true): string | null {
  return hasMore && count > 0 ? String(pageOf(query) + 1) : null;
}

export function pageOf({ cursor }: PostSearchQuery): number {
  const page = Number(cursor ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
