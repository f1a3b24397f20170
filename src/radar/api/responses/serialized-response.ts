// A response as wire bytes, head and body in one buffer, so sending is one write. It is rebuilt
// every second, because its head contains the time.
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { CachedResponse } from './cached-response.ts';
import { codedBytes } from './compress.ts';
import { headerList } from './send-response.ts';

export type WireResponse = {
  readonly bytes: Buffer;
  /** Null for a 304. */
  readonly coding: ContentCoding | null;
  readonly second: number;
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
  formsOf.set(response, forms);
  const serialized = timeSection('response: head and body in one buffer', () =>
    form === '304' ? notModified(response, second) : withBody(response, form, second),
  );
  forms.set(form, serialized);
  return serialized;
}

function notModified(response: CachedResponse, second: number): WireResponse {
  const lines = headerList(response, '304', null);
  return { bytes: headOf('304 Not Modified', lines, second), coding: null, second };
}

function withBody(
  response: CachedResponse,
  wantedCoding: ContentCoding,
  second: number,
): WireResponse {
  const { coding, bytes } = codedBytes(response, wantedCoding);
  const head = headOf('200 OK', headerList(response, coding, bytes), second);
  return { bytes: Buffer.concat([head, bytes]), coding, second };
}

function headOf(status: string, lines: readonly string[], second: number): Buffer {
  let head = `HTTP/1.1 ${status}\r\n`;
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  // RFC 9110, 6.6.1: Date is in whole seconds.
  const date = new Date(second * 1000).toUTCString();
  const keepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=65\r\n';
  return Buffer.from(`${head}Date: ${date}\r\n${keepAlive}\r\n`, 'latin1');
}
