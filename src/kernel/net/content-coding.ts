// Decodes content codings (RFC 9110, section 8.4.1) with a limit on the decoded size. A truncated
// body is a failure, so half a feed is never used.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { messageOf } from '../errors/fault.ts';

/** The Accept-Encoding header of requests. */
export const acceptEncoding = 'gzip, deflate, br, zstd';

export type DecodeResult =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | {
      readonly kind: 'failed';
      readonly reason: 'too_large' | 'protocol';
      readonly message: string;
    };

type Decoder = (data: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzip: Decoder = promisify(zlib.gunzip);
const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);
const brotli: Decoder = promisify(zlib.brotliDecompress);
const zstd: Decoder = promisify(zlib.zstdDecompress);

// Real servers apply one coding. A longer list would only cost processor time.
const maxCodings = 3;

/**
 * Decodes `coding` (the header's value, in the order of application). Each step is limited to
 * `maxBytes`.
 */
export async function decodeContentCoding(
  wire: Uint8Array,
  coding: string | undefined,
  maxBytes: number,
): Promise<DecodeResult> {
  const codings = (coding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > maxCodings) {
    return { kind: 'failed', reason: 'protocol', message: `${codings.length} content codings` };
  }
  let body = wire;
  for (const name of codings.reverse()) {
    const decoder = body.length === 0 ? null : findDecoder(name, body);
    if (decoder === null) continue;
    try {
      body = await decoder(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return toFailure(name, maxBytes, error);
    }
  }
  return { kind: 'decoded', body };
}

/**
 * Returns the decoder of one coding. Null: the body stays unchanged, because the coding is unknown
 * ("utf-8", "none") or was announced but not applied.
 */
function findDecoder(name: string, body: Uint8Array): Decoder | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = body;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      // RFC 1952, section 2.3.1: the first bytes of the format.
      return first === 0x1f && second === 0x8b ? gunzip : null;
    case 'deflate':
      // RFC 9110 defines "deflate" as zlib's format, but old servers send raw deflate. A zlib
      // header has method 8 and is a multiple of 31 (RFC 1950, section 2.2).
      return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0 ? inflate : inflateRaw;
    case 'br':
      return brotli;
    case 'zstd':
      // RFC 8878, section 3.1.1: the first bytes of a frame.
      return first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd ? zstd : null;
    default:
      return null;
  }
}

function toFailure(name: string, maxBytes: number, error: unknown): DecodeResult {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    const message = `unpacks (${name}) to more than ${maxBytes} bytes`;
    return { kind: 'failed', reason: 'too_large', message };
  }
  return { kind: 'failed', reason: 'protocol', message: `bad ${name}: ${messageOf(error)}` };
}
