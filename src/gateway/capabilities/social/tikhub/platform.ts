// How one platform is asked for at a supplier of the TikHub kind: the request, and the shape of the
// answer's `data`, which is as the platform gives it.
import type { z } from 'zod';
import type { PostRef } from '../links/link.ts';
import type { Post } from '../post.ts';

export type Request = {
  /** After `/api/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly json?: unknown;
};

export type SearchQuery = {
  readonly keyword: string;
  /** What this module gave as `next`; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
};

export type Found = { readonly posts: readonly Post[]; readonly next: string | null };

export type TikhubPlatform = {
  /** null: this supplier has no such thing. */
  content(ref: PostRef): Request | null;
  /** Of `data`; null: deleted, private, never there. */
  readonly post: z.ZodType<Post | null>;
  search(query: SearchQuery): Request;
  found(query: SearchQuery): z.ZodType<Found>;
};

/**
 * For a card of a page of results that must be a post: it says so, or says nothing of what it is.
 * Without this, a provider that renames a field would have found nothing.
 */
export const missingIn = (field: string) => ({
  path: [field],
  message: 'missing in a card that is a post',
});

/** Numbered pages: the next one, unless this one was empty. */
export function nextPage(query: SearchQuery, count: number, hasMore = true): string | null {
  return hasMore && count > 0 ? String(pageOf(query) + 1) : null;
}

export function pageOf({ cursor }: SearchQuery): number {
  const page = Number(cursor ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
