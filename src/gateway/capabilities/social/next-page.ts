// Encodes and decodes `next_page`, the opaque position of a search: the query, the provider and the
// next post in the provider's list. The next page must come from the same provider, because each
// provider has its own list.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PlatformId } from './platforms.ts';

export type PagePosition = {
  readonly provider: string;
  /** The provider's cursor; null: its first page. */
  readonly cursor: string | null;
  /** Number of posts of that page that were returned already. */
  readonly skip: number;
};

type SearchQuery = { readonly platform: PlatformId; readonly keyword: string };

const version = 1;
export const nextPageLengthMax = 4096;

/** The version, the hash of the query, the provider, its cursor, and `skip`. */
const payload = z.tuple([
  z.literal(version),
  z.string().length(8),
  z.string().min(1).max(64),
  z.string().max(3000).nullable(),
  z.int().min(0).max(1000),
]);

export function encodePosition(
  search: SearchQuery,
  { provider, cursor, skip }: PagePosition,
): string {
  const values = [version, queryHash(search), provider, cursor, skip];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Null: the token is invalid or belongs to another search. */
export function decodePosition(search: SearchQuery, page: string): PagePosition | null {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(page, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const parsed = payload.safeParse(values);
  if (!parsed.success || parsed.data[1] !== queryHash(search)) return null;
  const [, , provider, cursor, skip] = parsed.data;
  return { provider, cursor, skip };
}

function queryHash({ platform, keyword }: SearchQuery): string {
  const hash = createHash('sha256').update(`${platform}\n${keyword}`);
  return hash.digest('base64url').slice(0, 8);
}
