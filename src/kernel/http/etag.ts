// Computes weak ETags, which are equal on every node, and compares them with If-None-Match (RFC
// 9110).
import { hash } from 'node:crypto';

/**
 * `W/"…"` of the content's bytes. Weak, because the identity, gzip and br forms share one tag of
 * the same content (RFC 9110, 8.8.1).
 */
export function weakEtag(content: string | Uint8Array): string {
  // 132 bits of SHA-256 take 34 µs for a page of 60 KB. SHA-1 was not faster, and MD5 was slower.
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

// RFC 9110, 8.8.3: entity-tag = [ weak ] opaque-tag; weak = %s"W/";
// etagc = %x21 / %x23-7E / obs-text. A tag may hold a comma, so the list is not split at commas.
const listElement = /[\t ]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"[\t ]*(?:,|$)|[^,]*(?:,|$))/y;

/**
 * Whether If-None-Match contains `etag` by weak comparison (RFC 9110, 13.1.2); then the response is
 * 304. Invalid elements are ignored.
 */
export function matchesIfNoneMatch(headerValue: string | undefined, etag: string): boolean {
  if (headerValue === undefined) return false;
  if (headerValue === etag) return true;
  // "*" is valid only alone; within a list it is not an entity tag.
  if (/^[\t ]*\*[\t ]*$/.test(headerValue)) return true;
  const opaqueTag = opaqueTagOf(etag);
  listElement.lastIndex = 0;
  while (listElement.lastIndex < headerValue.length) {
    const match = listElement.exec(headerValue);
    if (match === null) return false;
    if (match[1] === opaqueTag) return true;
  }
  return false;
}

function opaqueTagOf(etag: string): string {
  return etag.slice(etag.indexOf('"') + 1, -1);
}
