// The whole body of an answer, up to a bound.
import type { Chunks } from '../../../kernel/net/read-chunks.ts';

/** Null when it is longer; rejects when it is cut off. */
export async function readBounded(body: Chunks, maxBytes: number): Promise<Buffer | null> {
  // What came together with its head is there already, and nothing needs to be waited for.
  const all = body.whole();
  if (all !== null) {
    const [first] = all;
    const bytes = first !== undefined && all.length === 1 ? first : Buffer.concat(all);
    return bytes.length > maxBytes ? null : bytes;
  }
  // By hand: `for await` asks for some turns of its own, and nearly every body is one piece.
  const pieces = body[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      // Lets go of the answer and of its connection.
      await pieces.return?.();
      return null;
    }
    chunks.push(value);
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}
