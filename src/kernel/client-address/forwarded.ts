// What proxies say about where a request came from: the hops of `Forwarded` (RFC 7239) and
// `X-Forwarded-For`, nearest last. Read leniently, believed never: belief is `client-address.ts`'.

export type ForwardingHeaders = {
  readonly forwarded?: string | undefined;
  readonly 'x-forwarded-for'?: string | string[] | undefined;
};

/** Each `for` of a Forwarded header, in its order; '' for an element without one. */
export function hopsOfForwarded(header: string): readonly string[] {
  return splitOutsideQuotes(header, ',').map((element) => {
    const pairs = splitOutsideQuotes(element, ';').map((pair) => /^\s*for\s*=(.*)$/is.exec(pair));
    return unquoted(pairs.find((pair) => pair !== null)?.[1]?.trim() ?? '');
  });
}

export function hopsOfXForwardedFor(header: string | readonly string[]): readonly string[] {
  const text = typeof header === 'string' ? header : header.join(',');
  return text.split(',').map((hop) => unquoted(hop.trim()));
}

/**
 * RFC 9110, 5.6.4: within a quoted string a comma separates nothing, and `\` escapes. A quote that
 * is never closed counts for nothing: what a client left open must not swallow the proxy's words.
 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return isQuoted ? text.split(separator) : [...parts, text.slice(start)];
}

function unquoted(text: string): string {
  const [, inside] = /^"(.*)"$/s.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll(/\\(.)/gs, '$1');
}
