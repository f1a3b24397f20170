// A response as wire bytes, head and body in one buffer, so sending is one write. Each second the
// date in the buffer is overwritten, because a new buffer would stay in memory until a full garbage
// collection.
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { CachedResponse } from './cached-response.ts';
import { encodeResponse } from './compress.ts';
import { headerList } from './send-response.ts';

export type WireResponse = {
  readonly bytes: Buffer;
  /** Null for a 304. */
  readonly body: Buffer | null;
  /** Null for a 304. */
  readonly coding: ContentCoding | null;
  /** Bytes before the value of the header field Date. */
  readonly dateOffset: number;
  /** The time in the header field Date, epoch seconds. */
  second: number;
  /** True while a socket may still read the bytes, so their date must not change. */
  isPending: boolean;
};

type SerializedForms = Map<ContentCoding | '304', WireResponse>;

const formsByResponse = new WeakMap<CachedResponse, SerializedForms>();

/**
 * `now`: epoch milliseconds. The bytes are those that `sendResponse` sends on a connection that
 * stays open.
 */
export function serializeResponse(
  response: CachedResponse,
  form: ContentCoding | '304',
  now: number,
): WireResponse {
  const forms = formsByResponse.get(response) ?? new Map<ContentCoding | '304', WireResponse>();
  const second = Math.floor(now / 1000);
  const cachedForm = forms.get(form);
  if (cachedForm !== undefined && cachedForm.second === second) return cachedForm;
  if (cachedForm !== undefined && !cachedForm.isPending && hasNewestBody(response, cachedForm)) {
    cachedForm.bytes.write(formatDate(second), cachedForm.dateOffset, 'latin1');
    cachedForm.second = second;
    return cachedForm;
  }
  formsByResponse.set(response, forms);
  const serialized = timeSection('response: head and body in one buffer', () =>
    form === '304'
      ? serializeNotModified(response, second)
      : serializeWithBody(response, form, second),
  );
  forms.set(form, serialized);
  return serialized;
}

/** False when a smaller compressed body was made since. */
function hasNewestBody(response: CachedResponse, { coding, body }: WireResponse): boolean {
  return coding === null || coding === 'identity' || response.codings.get(coding)?.bytes === body;
}

function serializeNotModified(response: CachedResponse, second: number): WireResponse {
  const head = serializeHead('304 Not Modified', headerList(response, '304', null), second);
  return { ...head, body: null, coding: null, second, isPending: false };
}

function serializeWithBody(
  response: CachedResponse,
  wantedCoding: ContentCoding,
  second: number,
): WireResponse {
  const { coding, bytes: body } = encodeResponse(response, wantedCoding);
  const { bytes: head, dateOffset } = serializeHead(
    '200 OK',
    headerList(response, coding, body),
    second,
  );
  return { bytes: Buffer.concat([head, body]), dateOffset, body, coding, second, isPending: false };
}

/** RFC 9110, 5.6.7: the date always has the same length. */
const formatDate = (second: number): string => new Date(second * 1000).toUTCString();

function serializeHead(status: string, lines: readonly string[], second: number) {
  let head = `HTTP/1.1 ${status}\r\n`;
  for (let index = 0; index < lines.length; index += 2)
    head += `${lines[index]}: ${lines[index + 1]}\r\n`;
  head += 'Date: ';
  const dateOffset = head.length;
  // 65 s is the `keepAliveTimeout` of the server.
  const keepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=65\r\n';
  return {
    bytes: Buffer.from(`${head}${formatDate(second)}\r\n${keepAlive}\r\n`, 'latin1'),
    dateOffset,
  };
}
