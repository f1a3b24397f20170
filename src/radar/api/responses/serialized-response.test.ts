import { expect, test } from 'vitest';
import { cacheControl } from './cache-control.ts';
import { JSON_TYPE, makeResponse } from './cached-response.ts';
import { serializeResponse } from './serialized-response.ts';

const noon = Date.UTC(2026, 7, 22, 12);
const createResponse = () =>
  makeResponse({ contentType: JSON_TYPE, cacheControl: cacheControl.items, body: 'x'.repeat(900) });
const dateOf = (bytes: Buffer) => /^Date: (.*)\r$/m.exec(bytes.toString('latin1'))?.[1];

test.each(['identity', 'gzip', '304'] as const)(
  'the next second only changes the date: %s',
  (form) => {
    const cached = createResponse();
    const first = serializeResponse(cached, form, noon);
    const before = first.bytes.toString('latin1');
    const second = serializeResponse(cached, form, noon + 1_000);
    expect(second.bytes).toBe(first.bytes);
    expect(dateOf(second.bytes)).toBe('Sat, 22 Aug 2026 12:00:01 GMT');
    expect(second.bytes.toString('latin1')).toBe(before.replace('12:00:00', '12:00:01'));
  },
);

test('bytes that a socket has not sent yet do not change', () => {
  const cached = createResponse();
  const first = serializeResponse(cached, 'identity', noon);
  first.isPending = true;
  const second = serializeResponse(cached, 'identity', noon + 1_000);
  expect(dateOf(first.bytes)).toBe('Sat, 22 Aug 2026 12:00:00 GMT');
  expect(dateOf(second.bytes)).toBe('Sat, 22 Aug 2026 12:00:01 GMT');
  expect(second.isPending).toBe(false);
});

test('a smaller form is sent from the next second on', () => {
  const cached = createResponse();
  serializeResponse(cached, 'br', noon);
  const bytes = Buffer.from('smaller');
  cached.codings.set('br', { bytes, effort: 2 });
  const text = serializeResponse(cached, 'br', noon + 1_000).bytes.toString('latin1');
  expect(text).toContain('content-length: 7\r\n');
  expect(text.endsWith('\r\n\r\nsmaller')).toBe(true);
});
