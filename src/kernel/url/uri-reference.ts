// Makes the path of a request line safe for documents.

/**
 * The path of a request as a URI reference. A request line may contain characters that a URI may
 * not.
 */
export function toUriReference(url: string): string {
  // After two leading slashes the next segment would be a host.
  const path = (url.split('?', 1)[0] ?? '').replace(/^\/\//, '/%2F');
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]|%(?![\da-f]{2})/gi, encodeByte);
}

const encodeByte = (character: string) =>
  `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`;
