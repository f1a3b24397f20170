// Reads the whole body of a response up to a limit.
import type { Chunks } from '../../../kernel/net/read-chunks.ts';

/** Null when the body is longer; rejects when the body is cut off. */
export async function readBounded(body: Chunks, maxBytes: number): Promise<Buffer | null> {
  // A body that arrived together with its headers is returned without waiting.
  const unreadChunks = body.takeUnreadBody();
  if (unreadChunks !== null) {
    const [firstUnread] = unreadChunks;
    const bytes =
      firstUnread !== undefined && unreadChunks.length === 1
        ? firstUnread
        : Buffer.concat(unreadChunks);
    return bytes.length > maxBytes ? null : bytes;
  }
  // Calls the iterator directly, because `for await` takes extra turns of the event loop and most
  // bodies have one chunk.
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    sizeBytes += value.length;
    if (sizeBytes > maxBytes) {
      // Releases the response and its connection.
      await iterator.return?.();
      return null;
    }
    chunks.push(value);
  }
  const [firstChunk] = chunks;
  return firstChunk !== undefined && chunks.length === 1 ? firstChunk : Buffer.concat(chunks);
}
