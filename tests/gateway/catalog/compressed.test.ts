// Public responses are compressed when the client accepts this. Responses about an account are not
// compressed.
import { expect, test } from 'vitest';
import { openTestConsole } from '../../console/test-console.ts';
import { sendRequest } from '../../support/http-request.ts';

const { origin, keys } = await openTestConsole();
const readCompressed = (path: string, coding: string, extraHeaders: object = {}) =>
  sendRequest(origin, { path, headers: { 'accept-encoding': coding, ...extraHeaders } });

test.each([
  ['gzip', 'gzip'],
  ['br', 'gzip, deflate, br, zstd'],
])('serves the OpenAPI document as %s', async (coding, accepted) => {
  const uncompressed = await readCompressed('/openapi.json', 'identity');
  const compressedResponse = await readCompressed('/openapi.json', accepted);
  expect(compressedResponse.headers).toMatchObject({
    'content-encoding': coding,
    vary: 'Accept-Encoding',
    etag: uncompressed.headers.etag,
  });
  expect(compressedResponse.text).toBe(uncompressed.text);
  expect(compressedResponse.bytes.length).toBeLessThan(uncompressed.bytes.length / 4);
  const notModified = await readCompressed('/openapi.json', accepted, {
    'if-none-match': uncompressed.headers.etag,
  });
  expect([
    notModified.status,
    notModified.headers.vary,
    notModified.headers['content-encoding'],
  ]).toEqual([304, 'Accept-Encoding', undefined]);
});

test('compresses style sheets of the console', async () => {
  const page = await readCompressed('/console/sign-in', 'identity');
  const [, sheet = ''] = /href="(\/[^"]+\.css)"/.exec(page.text) ?? [];
  const { headers, bytes, text } = await readCompressed(sheet, 'br');
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(bytes.length).toBeLessThan(text.length / 2);
});

test('does not compress responses about an account', async () => {
  const authorization = `Bearer ${keys.sk}`;
  const { headers } = await readCompressed('/api/v1/account', 'br', { authorization });
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
});
