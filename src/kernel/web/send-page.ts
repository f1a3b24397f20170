// Headers of pages with forms: no caching, no search engines, no frames.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pageSecurity } from '../html/page.ts';

const headers = {
  ...pageSecurity,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Other sites do not learn the visited page.
  'referrer-policy': 'same-origin',
  // Other origins get no window handle of these pages and cannot embed them.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function sendPage(res: ServerResponse, status: number, body: string): void {
  // Unread bytes of a posted body must not be parsed as the next request.
  if (res.req.method === 'POST' && !res.req.complete) res.setHeader('connection', 'close');
  res.writeHead(status, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** Redirects after an action, so that a reload does not repeat it. */
export function sendMoved(res: ServerResponse, location: string): void {
  res.writeHead(303, { ...headers, location, 'content-length': '0' });
  res.end();
}

/** Sends a text as a download, whole or in parts; `name` has ASCII letters only. */
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
