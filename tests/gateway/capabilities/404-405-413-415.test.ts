import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sendRawRequest } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const path = '/api/v1/capabilities/paid';

describe('404', () => {
  test.each([
    '/',
    '/api/v1/capabilities/none',
    '/api/v1',
    '/api/v1/capabilities/paid/',
    '/a?b=c',
    '/api/v1/calls/%00',
    '/api/v1/jobs/a%00b',
  ])('is returned for %s', async (path) => {
    const response = await gateway.readPath(path);
    expect(problemIn(response)).toEqual({
      type: '/problems/not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is no such address. /openapi.json describes every address of the API.',
      instance: path.split('?')[0],
      code: 'not_found',
    });
  });
});

test('an address that cannot be decoded gets 400 instead of 404', async () => {
  const response = await gateway.readPath('/api/v1/calls/%zz');
  expect(problemIn(response)).toMatchObject({ status: 400, code: 'invalid_request' });
});

describe('405 lists the permitted methods', () => {
  test.each([
    ['GET', path, 'POST, OPTIONS'],
    ['DELETE', path, 'POST, OPTIONS'],
    ['PROPFIND', path, 'POST, OPTIONS'],
    ['POST', '/api/v1/account', 'GET, HEAD, OPTIONS'],
    ['POST', '/capabilities/catalog', 'GET, HEAD, OPTIONS'],
    ['PUT', '/healthz', 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, allow) => {
    const response = await gateway.sendRequest({ method, path: path });
    expect(response.headers.allow).toBe(allow);
    expect(problemIn(response)).toEqual({
      type: '/problems/method-not-allowed',
      title: 'Method not allowed',
      status: 405,
      detail: `This address takes ${allow}.`,
      instance: path,
      code: 'method_not_allowed',
    });
  });
});

test('a preflight lists methods and headers, including headers of client libraries', async () => {
  const headers = {
    origin: 'https://page.example',
    'access-control-request-headers': 'authorization, x-stainless-os, x-other',
  };
  const response = await gateway.sendRequest({ method: 'OPTIONS', path, headers });
  expect(response.status).toBe(204);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, Prefer, If-None-Match, x-stainless-os',
    'access-control-max-age': '86400',
  });
  expect(response.headers['access-control-allow-credentials']).toBeUndefined();
});

describe('413', () => {
  const tooLarge = {
    type: '/problems/payload-too-large',
    title: 'Payload too large',
    status: 413,
    detail: 'A body may have at most 256 KiB.',
    instance: path,
    code: 'payload_too_large',
  };

  test('refuses a body one byte too long by its declared length', async () => {
    const body = `{"text":"${'x'.repeat(256 * 1024 - 10)}"}`;
    expect(body.length).toBe(256 * 1024 + 1);
    const response = await gateway.call('paid', body);
    expect(problemIn(response)).toEqual(tooLarge);
    const atLimit = await gateway.call('paid', body.slice(0, -3) + body.slice(-2));
    expect(atLimit.status).toBe(400);
  });

  test('refuses an endless body at the limit', async () => {
    const url = new URL(gateway.origin + path);
    const headers = {
      authorization: `Bearer ${gateway.keys.sk}`,
      'content-type': 'application/json',
    };
    const status = await new Promise<number>((resolve, reject) => {
      const clientRequest = request(url, { method: 'POST', headers }, (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
        clientRequest.destroy();
      });
      // The server closes the connection after the response. The resulting error has no effect,
      // because the promise is settled.
      clientRequest.on('error', reject);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const sendMore = () => {
        while (clientRequest.writable && clientRequest.write(chunk));
      };
      clientRequest.on('drain', sendMore);
      sendMore();
    });
    expect(status).toBe(413);
  });
});

describe('415', () => {
  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=gbk', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
    ['not a type', {}],
  ])('is returned for the type %s with the headers %j', async (type, extraHeaders) => {
    const headers = { 'content-type': type, ...extraHeaders };
    const response = await gateway.call('paid', { text: 'x' }, { headers });
    expect(problemIn(response)).toEqual({
      type: '/problems/unsupported-media-type',
      title: 'Unsupported media type',
      status: 415,
      detail: 'Send application/json in UTF-8, without a content coding.',
      instance: path,
      code: 'unsupported_media_type',
    });
  });

  test('accepts application/json with a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await gateway.call('paid', { text: 'x' }, { headers })).status).toBe(200);
  });
});

test('invalid HTTP receives a problem, and 100 Continue needs a valid key', async () => {
  expect(await sendRawRequest(gateway.origin, 'HELLO\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*request_id/,
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const requestHead = `${head}Content-Length: 14\r\nExpect: 100-continue\r\nConnection: close\r\n`;
  const withoutKey = await sendRawRequest(gateway.origin, `${requestHead}\r\n`);
  expect(withoutKey).toMatch(/^HTTP\/1\.1 401 /);
  const withKey = `${requestHead}Authorization: Bearer ${gateway.keys.sk}\r\n\r\n{"text":"yes"}`;
  expect(await sendRawRequest(gateway.origin, withKey)).toMatch(
    /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /,
  );
  const withoutHost = await sendRawRequest(
    gateway.origin,
    'GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n',
  );
  expect(withoutHost).toContain('The header Host is missing.');
});
