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

type Undo = (data: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzip: Undo = promisify(zlib.gunzip);
const inflate: Undo = promisify(zlib.inflate);
const inflateRaw: Undo = promisify(zlib.inflateRaw);
const brotli: Undo = promisify(zlib.brotliDecompress);
const zstd: Undo = promisify(zlib.zstdDecompress);

// Real servers apply one coding. A longer list would only cost processor time.
const maxCodings = 3;

/**
 * Decodes `coding` (the header's value, last applied last). Each step is limited to `maxBytes`.
 */
export async function undoContentCoding(
  wire: Uint8Array,
  coding: string | undefined,
  maxBytes: number,
): Promise<DecodeResult> {
  const codings = (coding ?? '')
    .split(',')
    .map((c) => c.trim().toLowerCase())
    .filter((c) => c !== '' && c !== 'identity');
  if (codings.length > maxCodings) {
    return { kind: 'failed', reason: 'protocol', message: `${codings.length} content codings` };
  }
  let body = wire;
  for (const name of codings.reverse()) {
    const undo = body.length === 0 ? null : undoFor(name, body);
    if (undo === null) continue;
    try {
      body = await undo(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return failureOf(name, maxBytes, error);
    }
  }
  return { kind: 'decoded', body };
}

/**
 * The inverse of one coding. Returns null when the body stays as it is: the coding is unknown
 * ("utf-8", "none") or was announced but not applied.
 */
function undoFor(name: string, body: Uint8Array): Undo | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = body;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return first === 0x1f && second === 0x8b ? gunzip : null;
    case 'deflate':
      // RFC 9110 means zlib's format, but old servers send raw deflate. A zlib header has method 8
      // and is a multiple of 31 (RFC 1950, section 2.2).
      return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0 ? inflate : inflateRaw;
    case 'br':
      return brotli;
    case 'zstd':
      return first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd ? zstd : null;
    default:
      return null;
  }
}

function failureOf(name: string, maxBytes: number, error: unknown): DecodeResult {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    const message = `unpacks (${name}) to more than ${maxBytes} bytes`;
    return { kind: 'failed', reason: 'too_large', message };
  }
  return { kind: 'failed', reason: 'protocol', message: `bad ${name}: ${messageOf(error)}` };
}
