// Resolves addresses in feeds against their base to absolute http(s) addresses.

const MAX_LENGTH = 8_000;
/** Every link resolves the base again, so a long base costs time for each link. */
const MAX_BASE_LENGTH = 2_000;

/**
 * Null when a needed base is missing, or when the result is not a web address. A valid absolute
 * address stays unchanged.
 */
export function resolveLink(href: string, base: string | null): string | null {
  const url = resolveAddress(href, base);
  return url !== null && /^https?:\/\/[^/]/i.test(url) ? url : null;
}

function resolveAddress(href: string, base: string | null): string | null {
  if (href.length > MAX_LENGTH || (base?.length ?? 0) > MAX_BASE_LENGTH) return null;
  const address = href
    .replace(/[\t\n\r]+/g, '')
    .trim()
    // An address without a scheme, as people write it. A path does not begin like this.
    .replace(/^www\.(?=[^\s/]+\.[a-z]{2,}(?:[/?#]|$))/i, 'http://www.');
  if (address === '' || (base === null && !/^[a-z][a-z0-9+.-]*:/i.test(address))) return null;
  const url = URL.parse(address, base ?? undefined);
  if (url === null) return null;
  return /^https?:\/\/[^\s/\\"<>^`{|}\u0080-\uffff]+[^\s\\"<>^`{|}\u0080-\uffff]*$/i.test(address)
    ? address
    : url.href;
}
