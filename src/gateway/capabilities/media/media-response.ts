// Creates the response for stored media: a download with a known, non-executable type, whole or as
// one range (RFC 9110, section 14). Every client with the URL can read the file until it expires.
import type { MediaStore } from './media-store.ts';

export type MediaResponse = {
  readonly status: 200 | 206 | 404 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body is sent. */
  readonly body: AsyncIterable<Uint8Array> | null;
};

const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
};

/** `GET /media/{token}`; `range` is the request's Range header. For HEAD the body is not sent. */
export async function mediaResponse(
  media: MediaStore,
  token: string,
  range: string | undefined,
): Promise<MediaResponse> {
  const file = await media.find(token);
  if (file === null) {
    return { status: 404, headers: { ...safetyHeaders, 'cache-control': 'no-store' }, body: null };
  }
  const { mimeType, byteLength } = file;
  const headers = {
    ...safetyHeaders,
    'content-type': mimeType,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600, immutable',
    'content-disposition': `inline; filename="${mimeType.replace('/', '.')}"`,
  };
  const part = readRange(range, byteLength);
  if (part === 'unsatisfiable') {
    const size = { 'content-range': `bytes */${byteLength}` };
    return { status: 416, headers: { ...safetyHeaders, ...size }, body: null };
  }
  if (part === 'full') {
    const length = { 'content-length': String(byteLength) };
    return { status: 200, headers: { ...headers, ...length }, body: file.read() };
  }
  const [from, to] = part;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(to - from + 1),
      'content-range': `bytes ${from}-${to}/${byteLength}`,
    },
    body: file.read(from, to),
  };
}

/**
 * A request with several ranges, or with another unit than bytes, receives the whole file, as the
 * RFC allows.
 */
function readRange(
  range: string | undefined,
  size: number,
): 'full' | 'unsatisfiable' | [number, number] {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'full';
  const [, first = '', last = ''] = match;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from >= size || to < from ? 'unsatisfiable' : [from, to];
}
