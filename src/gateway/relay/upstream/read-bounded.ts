// The whole body of an answer, up to a bound.

/** Null when it is longer; rejects when it is cut off. */
export async function readBounded(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop lets go of the answer and of its connection.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
