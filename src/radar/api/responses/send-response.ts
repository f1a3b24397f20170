// Sends a response: 200 in the negotiated coding, or 304 when the client has the same content. HEAD
// has GET's headers and no body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '../../../kernel/http/etag.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { negotiateCoding } from '../../../kernel/http/negotiate-coding.ts';
import { cacheControl } from './cache-control.ts';
import type { CachedResponse, PermanentRedirect } from './cached-response.ts';
import { encodeResponse } from './compress.ts';

/** Feed contract, "Requests": CORS on success, errors and 308. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id, Location',
} as const;

const cachedHeaders = new WeakMap<CachedResponse, Map<ContentCoding | '304', readonly string[]>>();

/** Returns the coding that was sent; null for a 304. */
export function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  response: CachedResponse,
): ContentCoding | null {
  if (matchesIfNoneMatch(req.headers['if-none-match'], response.etag)) {
    res.writeHead(304, headerList(response, '304', null));
    res.end();
    return null;
  }
  const { coding, bytes } = encodeResponse(response, negotiateCoding(acceptEncoding(req)));
  res.writeHead(200, headerList(response, coding, bytes));
  if (req.method === 'HEAD') res.end();
  else res.end(bytes);
  return coding;
}

/**
 * 308 without body or ETag while the merge exists (feed contract, "Requests"). `Location` keeps the
 * query, so that the client sends it again.
 */
export function sendMoved(
  res: ServerResponse,
  { location }: PermanentRedirect,
  rawQuery: string,
): void {
  res.writeHead(308, {
    ...corsHeaders,
    location: rawQuery === '' ? location : `${location}?${rawQuery}`,
    'cache-control': cacheControl.moved,
    'x-content-type-options': 'nosniff',
    'content-length': 0,
  });
  res.end();
}

function acceptEncoding(req: IncomingMessage): string | undefined {
  const header = req.headers['accept-encoding'];
  return Array.isArray(header) ? header.join(',') : header;
}

/**
 * Names and values in one flat list, the fastest form for `writeHead`. Created once per response
 * and coding.
 */
export function headerList(
  response: CachedResponse,
  form: ContentCoding | '304',
  bytes: Buffer | null,
): string[] {
  const forms = cachedHeaders.get(response) ?? new Map<ContentCoding | '304', readonly string[]>();
  cachedHeaders.set(response, forms);
  const cachedForm = forms.get(form);
  if (cachedForm && (bytes === null || cachedForm.at(-1) === String(bytes.length)))
    return cachedForm as string[];
  const list = [
    ...Object.entries(corsHeaders).flat(),
    'etag',
    response.etag,
    'cache-control',
    response.cacheControl,
    'vary',
    'Accept-Encoding',
    ...(bytes === null ? [] : ['content-type', response.contentType]),
    'x-content-type-options',
    'nosniff',
    ...Object.entries(response.headers).flat(),
    ...(form === 'gzip' || form === 'br' ? ['content-encoding', form] : []),
    ...(bytes === null ? [] : ['content-length', String(bytes.length)]),
  ];
  forms.set(form, list);
  return list;
}
