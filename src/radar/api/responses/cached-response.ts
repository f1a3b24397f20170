// A complete response: its ETag and its bytes in every coding made so far. It is immutable, except
// for codings, which are added at their first request and later replaced by smaller bodies.
import type { PooledBuffer } from '../../../kernel/concurrency/buffer-pool.ts';
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
  /**
   * Makes `bytes` available to other responses. Null: the bytes belong to this response. A
   * response with this function must be sent once, then released, and never stored.
   */
  readonly release: (() => void) | null;
};

export type ResponseContent = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: string | Buffer | PooledBuffer;
  /** Content for the ETag, when it is only a part of the body. */
  readonly etagContent?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The content has moved: a 308, whose Location is relative to this radar. */
export type PermanentRedirect = { readonly location: string };

export const JSON_TYPE = 'application/json; charset=utf-8';

export function makeResponse(content: ResponseContent): CachedResponse {
  const { contentType, cacheControl, body, etagContent, headers = {} } = content;
  const { bytes, release } = bytesOf(body);
  const etag = weakEtag(etagContent ?? bytes);
  return { contentType, cacheControl, etag, bytes, headers, codings: new Map(), release };
}

function bytesOf(body: ResponseContent['body']) {
  if (typeof body === 'string') return { bytes: Buffer.from(body), release: null };
  return Buffer.isBuffer(body) ? { bytes: body, release: null } : body;
}

/** The same response with bytes of its own, which can be stored. */
export function copyFromPool(response: CachedResponse): CachedResponse {
  if (response.release === null) return response;
  const bytes = Buffer.from(response.bytes);
  response.release();
  return { ...response, bytes, release: null };
}

export function jsonResponse(cacheControl: string, body: unknown): CachedResponse {
  return makeResponse({ contentType: JSON_TYPE, cacheControl, body: JSON.stringify(body) });
}
