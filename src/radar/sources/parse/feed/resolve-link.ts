// Addresses in feeds: relative to their base, absolute and http(s) in the end, or nothing.

const MAX_LENGTH = 8_000;
/** A base is resolved again for every link, so a long one costs for each. */
const MAX_BASE_LENGTH = 2_000;

/** Null when there is no base to resolve it by, or when it is no web address. */
export function resolveLink(href: string, base: string | null): string | null {
  const url = resolveAny(href, base);
  return url !== null && /^https?:\/\/[^/]/i.test(url) ? url : null;
}

/** The same for any scheme (`mailto:`, `ftp:`). An absolute address that needs no mending stays. */
export function resolveAny(href: string, base: string | null): string | null {
  if (href.length > MAX_LENGTH || (base?.length ?? 0) > MAX_BASE_LENGTH) return null;
  const written = href
    .replace(/[\t\n\r]+/g, '')
    .trim()
    // An address as people say it. A path does not begin like that.
    .replace(/^www\.(?=[^\s/]+\.[a-z]{2,}(?:[/?#]|$))/i, 'http://www.');
  if (written === '' || (base === null && !/^[a-z][a-z0-9+.-]*:/i.test(written))) return null;
  const url = URL.parse(written, base ?? undefined);
  if (url === null) return null;
  return /^https?:\/\/[^\s/\\"<>^`{|}\u0080-\uffff]+[^\s\\"<>^`{|}\u0080-\uffff]*$/i.test(written)
    ? written
    : url.href;
}
