// Compressed forms of public responses of the gateway. Responses about an account stay plain: they
// are small, and a length that depends on a secret and on a caller's words reveals the secret.
import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { compress } from '../../kernel/http/compress.ts';
import { negotiateCoding } from '../../kernel/http/negotiate-coding.ts';
import type { GatewayResponse } from './http-response.ts';

const SMALLEST = 860;
const FORMS_MAX = 200;
/** By content and coding. */
const forms = openBoundedCache<Buffer>(FORMS_MAX);

/** `accepted`: Accept-Encoding. The ETag is weak and stands for every coding. */
export function compressPublic(
  response: GatewayResponse,
  accepted: string | undefined,
): GatewayResponse {
  const { headers, body } = response;
  const { etag } = headers;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (etag === undefined || !isWhole) return response;
  const varied = { ...headers, vary: 'Accept-Encoding' };
  const coding = negotiateCoding(accepted);
  // Also a 304, which has no body.
  if (coding === 'identity' || body.length < SMALLEST) return { ...response, headers: varied };
  const name = `${coding} ${etag}`;
  const bytes = forms.get(name) ?? compress(Buffer.from(body), coding, 1);
  forms.set(name, bytes);
  return { ...response, headers: { ...varied, 'content-encoding': coding }, body: bytes };
}
