// Compresses a response fast, because a client waits. `recompress.ts` makes smaller bodies later.
import { compress, compressAsync } from '../../../kernel/http/compress.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { CachedResponse } from './cached-response.ts';

const COMPRESSED_BYTES_MIN = 860;

/**
 * Returns the bytes in this coding and compresses them if necessary. Short bodies stay plain.
 */
export function encodeResponse(
  response: CachedResponse,
  coding: ContentCoding,
): { coding: ContentCoding; bytes: Buffer } {
  if (coding === 'identity' || response.bytes.length < COMPRESSED_BYTES_MIN) {
    return { coding: 'identity', bytes: response.bytes };
  }
  const cachedCoding = response.codings.get(coding);
  if (cachedCoding) return { coding, bytes: cachedCoding.bytes };
  const bytes = timeSection('response: compress', () => compress(response.bytes, coding, 1));
  response.codings.set(coding, { bytes, effort: 1 });
  return { coding, bytes };
}

/** Compresses fast in every coding of `earlier`, without blocking this thread. */
export async function compressLike(
  response: CachedResponse,
  earlier: CachedResponse,
): Promise<void> {
  if (response.bytes.length < COMPRESSED_BYTES_MIN) return;
  for (const coding of earlier.codings.keys()) {
    if (response.codings.has(coding)) continue;
    response.codings.set(coding, { bytes: await compressAsync(response.bytes, coding), effort: 1 });
  }
}
