// A response as wire bytes, head and body in one buffer, so sending is one write. Its date is
// written anew each second. A new buffer each second would be garbage that only a collection of all
// objects releases.
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { CachedResponse } from './cached-response.ts';
import { codedBytes } from './compress.ts';
import { headerList } from './send-response.ts';

export type WireResponse = {
  readonly bytes: Buffer;
  /** Null for a 304. */
  readonly body: Buffer | null;
  /** Null for a 304. */
  readonly coding: ContentCoding | null;
  readonly dateAt: number;
  second: number;
  /** Whether a socket may still read the bytes, so that their date must not change. */
  isPending: boolean;
};

type Forms = Map<ContentCoding | '304', WireResponse>;

const formsOf = new WeakMap<CachedResponse, Forms>();

/**
 * `now`: epoch milliseconds. Equal to the output of `sendResponse` on a connection that stays open.
 */
export function wholeResponse(
  response: CachedResponse,
  form: ContentCoding | '304',
  now: number,
): WireResponse {
  const forms = formsOf.get(response) ?? new Map<ContentCoding | '304', WireResponse>();
  const second = Math.floor(now / 1000);
  const cachedForm = forms.get(form);
  if (cachedForm !== undefined && cachedForm.second === second) return cachedForm;
  if (cachedForm !== undefined && !cachedForm.isPending && isNewest(response, cachedForm)) {
    cachedForm.bytes.write(dateOf(second), cachedForm.dateAt, 'latin1');
    cachedForm.second = second;
    return cachedForm;
  }
  formsOf.set(response, forms);
  const serialized = timeSection('response: head and body in one buffer', () =>
    form === '304' ? notModified(response, second) : withBody(response, form, second),
  );
  forms.set(form, serialized);
  return serialized;
}

/** Whether the body has not been compressed better since. */
function isNewest(response: CachedResponse, { coding, body }: WireResponse): boolean {
  return coding === null || coding === 'identity' || response.codings.get(coding)?.bytes === body;
}

function notModified(response: CachedResponse, second: number): WireResponse {
  const head = headOf('304 Not Modified', headerList(response, '304', null), second);
  return { ...head, body: null, coding: null, second, isPending: false };
}

function withBody(
  response: CachedResponse,
  wantedCoding: ContentCoding,
  second: number,
): WireResponse {
  const { coding, bytes: body } = codedBytes(response, wantedCoding);
  const { bytes: head, dateAt } = headOf('200 OK', headerList(response, coding, body), second);
  return { bytes: Buffer.concat([head, body]), dateAt, body, coding, second, isPending: false };
}

/** RFC 9110, 5.6.7: the date has the same length at any time, in whole seconds. */
const dateOf = (second: number): string => new Date(second * 1000).toUTCString();

function headOf(status: string, lines: readonly string[], second: number) {
  let head = `HTTP/1.1 ${status}\r\n`;
  for (let index = 0; index < lines.length; index += 2)
    head += `${lines[index]}: ${lines[index + 1]}\r\n`;
  head += 'Date: ';
  const dateAt = head.length;
  const keepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=65\r\n';
  return { bytes: Buffer.from(`${head}${dateOf(second)}\r\n${keepAlive}\r\n`, 'latin1'), dateAt };
}
