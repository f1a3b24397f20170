// Decodes the content codings of request bodies (RFC 9110, 8.4.1), with limits against
// decompression bombs.
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { Fault } from '../errors/fault.ts';

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
};

export const isKnownCoding = (coding: string) => Object.hasOwn(decoders, coding);

/** JSON compresses to about a tenth. A body that grows more than 200 times is an attack. */
const RATIO_MAX = 200;

/**
 * `coding`: a known content coding, in lower case. Throws a Fault: payload_too_large when the body
 * has more than `maxBytes` or grows more than 200 times, invalid_request when it is broken.
 */
export async function decodeContent(
  bytes: Buffer,
  coding: string,
  { maxBytes, tooLarge }: { readonly maxBytes: number; readonly tooLarge: string },
): Promise<Buffer> {
  const decoder = decoders[coding];
  if (decoder === undefined) throw new Fault('unsupported_media_type', `Unknown coding: ${coding}`);
  const maxOutputLength = Math.max(1, Math.min(maxBytes, bytes.length * RATIO_MAX));
  try {
    return await decoder(bytes, { maxOutputLength });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      const isTooLarge = maxOutputLength === maxBytes;
      const message = isTooLarge
        ? tooLarge
        : 'The body decompresses to more than 200 times its size.';
      throw new Fault('payload_too_large', message, { cause });
    }
    throw new Fault('invalid_request', `The body is not valid ${coding}.`, { cause });
  }
}
