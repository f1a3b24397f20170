// Requests that a proxy in front and the server could read differently are refused on all three
// ports and on the pages with forms. Source: security, finding S13.
import { expect, test } from 'vitest';
import { openTestConsole } from '../console/test-console.ts';
import { openTestRelay } from '../relay/test-relay.ts';
import { sendRawRequest, sendRequest } from '../support/http-request.ts';
import { openReaderRadar } from '../support/reader-radar.ts';

const { origin: radar } = await openReaderRadar();
const { origin: gateway } = await openTestConsole({ url: 'https://gateway.example' });
const { origin: relay } = await openTestRelay();

const addresses = [
  ['radar', radar, '/api/v1/items'],
  ['gateway', gateway, '/capabilities/catalog'],
  ['console', gateway, '/console/sign-in'],
  ['relay', relay, '/relay/v1/models'],
] as const;

const send = (origin: string, path: string, headers: readonly string[]) =>
  sendRawRequest(
    origin,
    `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
  );

test.each(addresses)(
  '%s refuses two Host headers, on a first and on a later request',
  async (_, origin, path) => {
    for (const _attempt of [1, 2]) {
      const response = await send(origin, path, ['Host: one.example', 'Host: two.example']);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('The header Host is present more than once.');
    }
  },
);

test.each(addresses)(
  '%s refuses a transfer coding that is not chunked',
  async (_, origin, path) => {
    const response = await send(origin, path, ['Host: one.example', 'Transfer-Encoding: xchunked']);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
  },
);

// A proxy that ignores the coding of HTTP/1.0 would see other requests than the server.
test.each(addresses)(
  '%s refuses a transfer coding of HTTP/1.0, and reads no further request',
  async (_, origin, path) => {
    const response = await sendRawRequest(
      origin,
      `GET ${path} HTTP/1.0\r\nHost: one.example\r\nConnection: keep-alive\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n' +
        `GET ${path} HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n`,
    );
    expect(response.match(/HTTP\/1\.\d \d{3}/g)).toEqual(['HTTP/1.1 400']);
    expect(response).toMatch(/^connection: close\r$/im);
  },
);

test.each([
  ['radar', radar, '/%6detrics'],
  ['radar', radar, '/%61dmin'],
  ['gateway', gateway, '/%6detrics'],
  ['gateway', gateway, '/%63onsole/sign-in'],
  ['relay', relay, '/%6detrics'],
])('%s refuses an encoded spelling of an operator’s address: %s%s', async (_, origin, path) => {
  expect((await sendRequest(origin, { path })).status).toBe(404);
});

test('pages over https have HSTS and refuse other origins', async () => {
  const { headers } = await sendRequest(gateway, { path: '/console/sign-in' });
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect((await sendRequest(radar, { path: '/' })).headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
  });
});

test('pages over plain http have no HSTS', async () => {
  const httpConsole = await openTestConsole();
  const { headers } = await sendRequest(httpConsole.origin, { path: '/console/sign-in' });
  expect(headers['strict-transport-security']).toBeUndefined();
});
