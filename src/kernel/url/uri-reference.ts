// Converts the path of a request line to a URI reference (RFC 3986).

/** A request line may contain characters that a URI reference must not contain. */
export function toUriReference(url: string): string {
  // After two leading slashes the next segment would be a host.
  const path = (url.split('?', 1)[0] ?? '').replace(/^\/\//, '/%2F');
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]|%(?![\da-f]{2})/gi, encodeByte);
}

const encodeByte = (character: string) =>
  `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`;
