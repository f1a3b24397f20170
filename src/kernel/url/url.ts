// Computes the canonical URL of an article, a key for comparison. The key ignores schemes,
// prefixes, encodings and trackers, and is never used as a link.
import { isIP } from 'node:net';
import { identityOfKnownSite, unwrapAmpCache } from './known-sites.ts';
import { isTracking } from './tracking-parameters.ts';

// Longer addresses, such as whole documents in a query, do not belong to articles.
const maxKeyLength = 8_192;

/**
 * The key of an http(s) address; null for other text. Addresses of one article share a key, and the
 * function is idempotent.
 * Ignored: scheme, credentials, default ports, `www.`, `m.`, `amp.`, the host's final dot, doubled
 * and trailing slashes, index files and AMP suffixes. Also ignored: tracking parameters, parameter
 * order, fragments (except `#!` and `#/` routes) and percent-encoding.
 * Kept: the case of path and query, other parameters, other ports. A key over 8,192 characters
 * returns null.
 */
export function canonicalUrl(url: string): string | null {
  let key = url.trim();
  // The result of one rule can be input for another rule (`www.m.twitter.com`), so the rules repeat
  // until nothing changes.
  for (let round = 0; round < 10; round += 1) {
    const parsed = key.length > maxKeyLength ? null : httpUrl(key);
    if (parsed === null) return null;
    const next = toKey(identityOfKnownSite(unwrapAmpCache(parsed)));
    if (next === key) return key;
    key = next;
  }
  return null;
}

/**
 * Resolves a link of a page or feed to an absolute URL; null when it is empty or not http(s). An
 * absolute link needs no valid `base`. Credentials are removed.
 */
export function absoluteUrl(href: string, base: string): string | null {
  const text = href.trim();
  if (text === '') return null;
  const url = httpUrl(text, base.trim()) ?? httpUrl(text);
  if (url === null) return null;
  url.username = '';
  url.password = '';
  return url.href;
}

function httpUrl(text: string, base?: string): URL | null {
  const url = URL.parse(text, base);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

function toKey(url: URL): string {
  const host = toHostKey(url.hostname);
  const port = ['', '80', '443'].includes(url.port) ? '' : `:${url.port}`;
  const query = toQueryKey(host, url.search.slice(1));
  return `https://${host}${port}${toPathKey(url.pathname)}${query}${toRouteKey(url.hash)}`;
}

/** A prefix is removed only when at least two labels remain: `m.co` is a name. */
function toHostKey(hostname: string): string {
  let host = hostname.replace(/\.+$/, '');
  if (isIP(host) !== 0) return host;
  for (;;) {
    const siteDomain = /^(?:www|m|amp)\.(.+\..+)$/.exec(host)?.[1];
    if (siteDomain === undefined) return host;
    host = siteDomain;
  }
}

const pathEndings = [
  /\/+$/,
  /;jsessionid=[^/]*$/i,
  /\/(?:index|default)\.(?:s?html?|php|aspx?|jsp)$/i,
  // `/amp` as the whole path is a page about AMP.
  /(?<=[^/])\/amp$/i,
  /\.amp(?=(?:\.html?)?$)/i,
];

function toPathKey(pathname: string): string {
  let path = normalizeEncoding(pathname, pathCharacters).replace(/\/{2,}/g, '/');
  for (;;) {
    const shortened = pathEndings.reduce(
      (remaining, ending) => remaining.replace(ending, ''),
      path,
    );
    if (shortened === path) return path;
    path = shortened;
  }
}

function toQueryKey(host: string, search: string): string {
  const pairs = search
    .split('&')
    .map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', '%20')) ?? [];
      return [
        normalizeEncoding(name, queryCharacters),
        normalizeEncoding(value, queryCharacters),
      ] as const;
    })
    .filter(([name, value]) => (name || value) && !isTracking(host, name, value))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .sort();
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Fragments that single-page applications use as routes. */
function toRouteKey(hash: string): string {
  if (!/^#!?\/|^#!/.test(hash)) return '';
  const route = normalizeEncoding(hash.slice(1), pathCharacters).replace(/\/+$/, '');
  return route === '' || route === '!' ? '' : `#${route}`;
}

// RFC 3986: unreserved characters, and other characters that the component may contain unencoded.
const pathCharacters = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/;
const queryCharacters = /[A-Za-z0-9\-._~!$'()*,;:@/?]/;

/**
 * Gives each octet one spelling: the character itself where the component allows it, otherwise %XX
 * in upper case. An encoded slash stays encoded, because it is data.
 */
function normalizeEncoding(text: string, literal: RegExp): string {
  return text.replace(/%([0-9A-Fa-f]{2})|[\s\S]/gu, (token, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return literal.test(character) && character !== '/' ? character : token.toUpperCase();
    }
    return literal.test(token) ? token : percentEncode(token);
  });
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)]
    .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
