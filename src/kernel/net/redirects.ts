// Follows redirects. Method and body change as RFC 9110 (section 15.4) and Fetch define; another
// origin receives no header that could be a secret.
import type { NetRequest } from './net.ts';

export type Hop = {
  readonly url: URL;
  readonly method: NonNullable<NetRequest['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
};

export type NextHop =
  | { readonly kind: 'no_redirect' }
  | { readonly kind: 'redirect'; readonly hop: Hop }
  | { readonly kind: 'refused'; readonly message: string };

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

// The only headers that another origin receives. Other headers may be secrets (authorization,
// cookie, API keys of any spelling).
const safeHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'cache-control', 'pragma'],
  ...['if-none-match', 'if-modified-since', 'range', 'content-type'],
]);

/** A redirect has a redirect status and a Location header. */
export function isRedirect(status: number, location: string | undefined): boolean {
  return redirectStatuses.has(status) && location !== undefined;
}

/** `location`: as Node reads header values, with one character per byte. */
export function nextHop(hop: Hop, status: number, location: string | undefined): NextHop {
  if (location === undefined || !isRedirect(status, location)) return { kind: 'no_redirect' };
  const url = URL.parse(decodeUtf8IfValid(location), hop.url.href);
  if (url === null) return { kind: 'refused', message: 'the redirect names no URL' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { kind: 'refused', message: `the redirect leads to ${url.protocol}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { kind: 'refused', message: 'the redirect carries credentials' };
  }
  // RFC 9110, section 10.2.2: the target inherits the fragment of the request.
  if (url.hash === '') url.hash = hop.url.hash;
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  const isSameOrigin = url.origin === hop.url.origin;
  const isPermitted = (name: string) => isSameOrigin || safeHeaders.has(name);
  const describesRemovedBody = (name: string) => becomesGet && name.startsWith('content-');
  const headers = Object.entries(hop.headers).filter(
    ([name]) => isPermitted(name) && !describesRemovedBody(name),
  );
  return {
    kind: 'redirect',
    hop: {
      url,
      method: becomesGet ? 'GET' : hop.method,
      headers: Object.fromEntries(headers),
      body: becomesGet ? null : hop.body,
    },
  };
}

/** Addresses are often sent as raw UTF-8, which browsers accept. */
function decodeUtf8IfValid(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
