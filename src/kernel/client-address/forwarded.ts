// Reads the hops that proxies write into a forwarding header, the nearest last: `Forwarded`
// (RFC 7239), `X-Forwarded-For` or `X-Real-IP`. Malformed hops are returned too;
// `client-address.ts` ends its search at them.

export const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

export type ForwardingHeader = (typeof forwardingHeaders)[number];

export function readHops(header: ForwardingHeader, value: string): readonly string[] {
  if (header === 'forwarded') return readForwarded(value);
  // X-Real-IP contains one address, not a list.
  return header === 'x-real-ip' ? [value.trim()] : readXForwardedFor(value);
}

/** The `for` value of each element, in order; '' for an element without `for`. */
function readForwarded(header: string): readonly string[] {
  return splitOutsideQuotes(header, ',').map((element) => {
    const pairs = splitOutsideQuotes(element, ';').map((pair) => /^\s*for\s*=(.*)$/is.exec(pair));
    return unquote(pairs.find((pair) => pair !== null)?.[1]?.trim() ?? '');
  });
}

function readXForwardedFor(header: string): readonly string[] {
  return header.split(',').map((hop) => unquote(hop.trim()));
}

/**
 * RFC 9110, 5.6.4: within a quoted string a comma is not a separator, and `\` escapes. An unclosed
 * quote is ordinary text, so a client cannot hide the hops that the proxy adds.
 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isQuoted && character === '\\') index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return isQuoted ? text.split(separator) : [...parts, text.slice(start)];
}

function unquote(text: string): string {
  const [, quotedText] = /^"(.*)"$/s.exec(text) ?? [];
  return quotedText === undefined ? text : quotedText.replaceAll(/\\(.)/gs, '$1');
}
