// The canonical URL of an article, a key for comparison. It ignores schemes, prefixes, encodings
// and trackers, and is never used as a link.
import { isIP } from 'node:net';
import { identityOfKnownSite, unwrapAmpCache } from './known-sites.ts';
import { isTracking } from './tracking-parameters.ts';

// Longer addresses exist (whole documents in a query) but do not belong to articles.
const longestKey = 8_192;

/**
 * The key of an http(s) address; null for other text. Addresses of one article share a key, and the
 * function is idempotent.
 * Ignored: scheme, credentials, default ports, `www.`, `m.`, `amp.`, the root's dot, doubled and
 * trailing slashes, index files and AMP suffixes. Also ignored: tracking parameters, parameter
 * order, fragments (except `#!` and `#/` routes) and percent-encoding.
 * Kept: the case of path and query, other parameters, other ports. A key over 8,192 characters
 * returns null.
 */
export function canonicalUrl(url: string): string | null {
  let key = url.trim();
  // One rule can create input for another (`www.m.twitter.com`), so they repeat until nothing
  // changes.
  for (let pass = 0; pass < 10; pass += 1) {
    const parsed = key.length > longestKey ? null : httpUrl(key);
    if (parsed === null) return null;
    const next = keyOf(identityOfKnownSite(unwrapAmpCache(parsed)));
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

function keyOf(url: URL): string {
  const host = hostKey(url.hostname);
  const port = ['', '80', '443'].includes(url.port) ? '' : `:${url.port}`;
  const query = queryKey(host, url.search.slice(1));
  return `https://${host}${port}${pathKey(url.pathname)}${query}${routeKey(url.hash)}`;
}

/** A prefix is removed only when at least two labels remain: `m.co` is a name. */
function hostKey(hostname: string): string {
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

function pathKey(pathname: string): string {
  let path = encodedAs(pathname, pathCharacters).replace(/\/{2,}/g, '/');
  for (;;) {
    const shorter = pathEndings.reduce((rest, ending) => rest.replace(ending, ''), path);
    if (shorter === path) return path;
    path = shorter;
  }
}

function queryKey(host: string, search: string): string {
  const pairs = search
    .split('&')
    .map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', '%20')) ?? [];
      return [encodedAs(name, queryCharacters), encodedAs(value, queryCharacters)] as const;
    })
    .filter(([name, value]) => (name || value) && !isTracking(host, name, value))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .sort();
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Fragments that single-page applications use as routes. */
function routeKey(hash: string): string {
  if (!/^#!?\/|^#!/.test(hash)) return '';
  const route = encodedAs(hash.slice(1), pathCharacters).replace(/\/+$/, '');
  return route === '' || route === '!' ? '' : `#${route}`;
}

// RFC 3986: unreserved characters and those that a component may hold as they are.
const pathCharacters = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/;
const queryCharacters = /[A-Za-z0-9\-._~!$'()*,;:@/?]/;

/**
 * One spelling per octet: the character itself where the component allows it, otherwise %XX in
 * upper case. An encoded slash stays encoded, because it is data.
 */
function encodedAs(text: string, literal: RegExp): string {
  return text.replace(/%([0-9A-Fa-f]{2})|[\s\S]/gu, (token, hex: string | undefined) => {
    if (hex !== undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return literal.test(character) && character !== '/' ? character : token.toUpperCase();
    }
    return literal.test(token) ? token : percentEncoded(token);
  });
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)]
    .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
