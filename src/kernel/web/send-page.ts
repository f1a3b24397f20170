// How pages with forms are sent: never cached, never found by search engines, never framed.
import type { ServerResponse } from 'node:http';
import { pageSecurity } from '../html/page.ts';

const headers = {
  ...pageSecurity,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Other sites do not learn the visited page.
  'referrer-policy': 'same-origin',
  // A window of another origin gets no handle on these pages, and no other site embeds them.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function sendPage(res: ServerResponse, status: number, body: string): void {
  // What was posted and never read must not be taken for the next request.
  if (res.req.method === 'POST' && !res.req.complete) res.setHeader('connection', 'close');
  res.writeHead(status, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** After something was done, and so that a reload does not do it again. */
export function sendMoved(res: ServerResponse, location: string): void {
  res.writeHead(303, { ...headers, location, 'content-length': '0' });
  res.end();
}

/** A text to be kept rather than shown; `name` in plain letters. */
export function sendFile(
  res: ServerResponse,
  { name, type, text }: { readonly name: string; readonly type: string; readonly text: string },
): void {
  res.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'content-length': Buffer.byteLength(text),
  });
  res.end(res.req.method === 'HEAD' ? undefined : text);
}
