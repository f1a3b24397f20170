// Compresses public responses of the gateway. Responses about an account stay uncompressed, because
// they are small. In addition, the compressed length of a secret beside a caller's text reveals
// parts of the secret.
import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { compress } from '../../kernel/http/compress.ts';
import { negotiateCoding } from '../../kernel/http/negotiate-coding.ts';
import type { GatewayResponse } from './http-response.ts';

const MIN_BYTES = 860;
const CACHE_MAX_BODIES = 200;
/** The fast effort of `compress`, because a request waits for the result. */
const COMPRESSION_EFFORT = 1;
/** Compressed bytes by coding and ETag. */
const compressedBytes = openBoundedCache<Buffer>(CACHE_MAX_BODIES);

/** `accepted` is the Accept-Encoding header. One weak ETag identifies all codings. */
export function compressPublic(
  response: GatewayResponse,
  accepted: string | undefined,
): GatewayResponse {
  const { headers, body } = response;
  const { etag } = headers;
  const isBuffered = typeof body === 'string' || Buffer.isBuffer(body);
  if (etag === undefined || !isBuffered) return response;
  const headersWithVary = { ...headers, vary: 'Accept-Encoding' };
  const coding = negotiateCoding(accepted);
  // This branch includes a 304, whose body is empty.
  if (coding === 'identity' || body.length < MIN_BYTES)
    return { ...response, headers: headersWithVary };
  const cacheKey = `${coding} ${etag}`;
  const bytes =
    compressedBytes.get(cacheKey) ?? compress(Buffer.from(body), coding, COMPRESSION_EFFORT);
  compressedBytes.set(cacheKey, bytes);
  return { ...response, headers: { ...headersWithVary, 'content-encoding': coding }, body: bytes };
}
