// Compressed forms of a response, made fast while a client waits. `recompress.ts` makes smaller
// ones later.
import { compress, compressAsync } from '../../../kernel/http/compress.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { CachedResponse } from './cached-response.ts';

const SMALLEST = 860;

/**
 * The bytes in this coding, compressed now if necessary; identity when compression does not pay.
 */
export function codedBytes(
  response: CachedResponse,
  coding: ContentCoding,
): { coding: ContentCoding; bytes: Buffer } {
  if (coding === 'identity' || response.bytes.length < SMALLEST) {
    return { coding: 'identity', bytes: response.bytes };
  }
  const cachedBytes = response.codings.get(coding);
  if (cachedBytes) return { coding, bytes: cachedBytes.bytes };
  const bytes = timeSection('response: compress', () => compress(response.bytes, coding, 1));
  response.codings.set(coding, { bytes, effort: 1 });
  return { coding, bytes };
}

/** Makes the quick forms that `earlier` has, without blocking this thread. */
export async function codeLike(response: CachedResponse, earlier: CachedResponse): Promise<void> {
  if (response.bytes.length < SMALLEST) return;
  for (const coding of earlier.codings.keys()) {
    if (response.codings.has(coding)) continue;
    response.codings.set(coding, { bytes: await compressAsync(response.bytes, coding), effort: 1 });
  }
}
