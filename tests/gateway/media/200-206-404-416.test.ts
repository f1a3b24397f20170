// GET /media/{token}: the output of a call, available for a day to every client with its address.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

/** The smallest valid image: a single grey pixel. */
function createPng(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    return Buffer.concat([head, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const bytes = createPng();
const storedImage = await gateway.media.store(bytes);
const path = new URL(storedImage?.url ?? 'https://x/').pathname;

test('returns a whole file that a browser cannot execute', async () => {
  expect(storedImage?.url).toMatch(/^https:\/\/gateway\.example\/media\/[\w-]+$/);
  const response = await gateway.sendRequest({ path });
  expect(response.status).toBe(200);
  expect(response.bytes).toEqual(bytes);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-request-id': expect.stringMatching(/^req_/),
  });
  const head = await gateway.sendRequest({ path, method: 'HEAD' });
  expect(head.headers['content-length']).toBe(String(bytes.length));
  expect(head.bytes).toHaveLength(0);
});

test('returns a range, and 416 outside of the file', async () => {
  const partResponse = await gateway.sendRequest({ path, headers: { range: 'bytes=1-3' } });
  expect(partResponse.status).toBe(206);
  expect(partResponse.text).toBe('PNG');
  expect(partResponse.headers['content-range']).toBe(`bytes 1-3/${bytes.length}`);
  const outsideResponse = await gateway.sendRequest({ path, headers: { range: 'bytes=9999-' } });
  expect(outsideResponse.status).toBe(416);
  expect(outsideResponse.headers['content-range']).toBe(`bytes */${bytes.length}`);
});

test('returns 404 for an unknown address and for an expired address', async () => {
  const unknownName = await gateway.sendRequest({ path: `/media/${'a'.repeat(33)}` });
  expect(problemIn(unknownName)).toMatchObject({ status: 404, code: 'not_found' });
  gateway.clock.advance(25 * HOUR_MS);
  expect((await gateway.sendRequest({ path })).status).toBe(404);
});
