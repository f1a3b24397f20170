// What a request line names, written so that it may stand in a document.

/** The path of a request as a URI reference: a request line may hold what no URI may. */
export function asReference(url: string): string {
  // Two slashes in front would make the next word a host.
  const path = (url.split('?', 1)[0] ?? '').replace(/^\/\//, '/%2F');
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]|%(?![\da-f]{2})/gi, encodeByte);
}

const encodeByte = (character: string) =>
  `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`;
