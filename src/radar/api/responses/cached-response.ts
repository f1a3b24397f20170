// A complete response: its ETag and its bytes in every coding made so far. It is immutable, except
// for codings that are added at their first request.
import { weakEtag } from '../../../kernel/http/etag.ts';

export type CachedResponse = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Additional header fields, such as a page's security policy; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed bodies with the effort (1 fast, 2 best) of each. */
  readonly codings: Map<'gzip' | 'br', { readonly bytes: Buffer; readonly effort: 1 | 2 }>;
};

export type ResponseContent = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: string | Buffer;
  /** Content for the ETag, when it is only a part of the body. */
  readonly etagContent?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The content has moved: a 308, whose Location is relative to this radar. */
export type PermanentRedirect = { readonly location: string };

export const JSON_TYPE = 'application/json; charset=utf-8';

export function makeResponse(content: ResponseContent): CachedResponse {
  const { contentType, cacheControl, body, etagContent, headers = {} } = content;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = weakEtag(etagContent ?? bytes);
  return { contentType, cacheControl, etag, bytes, headers, codings: new Map() };
}

export function jsonResponse(cacheControl: string, body: unknown): CachedResponse {
  return makeResponse({ contentType: JSON_TYPE, cacheControl, body: JSON.stringify(body) });
}
