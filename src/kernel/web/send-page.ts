// Sends pages with forms. Their headers forbid caching, search engines and frames.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { pageSecurity } from '../html/page.ts';
import { type ContentCoding, negotiateCoding } from '../http/negotiate-coding.ts';

/** This quality takes less than a millisecond for a page of 50 KB. */
const BROTLI_QUALITY = 4;

const headers = {
  ...pageSecurity,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Other sites must not receive the address of the visited page.
  'referrer-policy': 'same-origin',
  // Other origins cannot obtain a window handle of these pages and cannot embed them.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function sendPage(res: ServerResponse, status: number, body: string): void {
  // Unread bytes of a POST body must not be parsed as the next request.
  if (res.req.method === 'POST' && !res.req.complete) res.setHeader('connection', 'close');
  const { coding, bytes } = compressPage(res, Buffer.from(body));
  res.writeHead(status, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    ...(coding !== 'identity' && { 'content-encoding': coding, vary: 'Accept-Encoding' }),
    'content-length': bytes.length,
  });
  res.end(res.req.method === 'HEAD' ? undefined : bytes);
}

/**
 * A new secret is shown in the response to a POST, which stays uncompressed: the size of a
 * compressed page depends on its content (BREACH). Form tokens may be compressed, because every
 * page has a new mask for them.
 */
function compressPage(
  { req }: ServerResponse,
  bytes: Buffer,
): { readonly coding: ContentCoding; readonly bytes: Buffer } {
  const header = req.headers['accept-encoding'];
  const coding = negotiateCoding(Array.isArray(header) ? header.join(',') : header);
  if (req.method === 'POST' || coding === 'identity') return { coding: 'identity', bytes };
  const { BROTLI_PARAM_QUALITY } = zlib.constants;
  const compressed =
    coding === 'br'
      ? zlib.brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : zlib.gzipSync(bytes);
  return { coding, bytes: compressed };
}

/** Redirects after an action, so that a reload does not repeat it. */
export function sendRedirect(res: ServerResponse, location: string): void {
  res.writeHead(303, { ...headers, location, 'content-length': '0' });
  res.end();
}

/** Sends a text as a download, whole or in parts. `name`: ASCII without quotation marks. */
export async function sendFile(
  res: ServerResponse,
  {
    name,
    type,
    text,
  }: {
    readonly name: string;
    readonly type: string;
    readonly text: string | AsyncIterable<string>;
  },
): Promise<void> {
  res.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    ...(typeof text === 'string' && { 'content-length': Buffer.byteLength(text) }),
  });
  if (res.req.method === 'HEAD') res.end();
  else if (typeof text === 'string') res.end(text);
  else await pipeline(Readable.from(text), res);
}
