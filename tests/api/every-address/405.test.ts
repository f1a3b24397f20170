import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRawRequest, sendRequest } from '../../support/http-request.ts';
import { everyAddress, unknownAddresses } from '../addresses.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];

describe.each([...everyAddress, ...unknownAddresses, '/healthz', '/metrics'])('%s', (path) => {
  test.each(methods)('refuses %s and lists the permitted methods', async (method) => {
    const response = await sendRequest(origin, { path, method });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(contract.faultsOf({ path }, response)).toEqual([]);
    expect(json(response)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  });
});

/** Sends a head and an endless body, and returns the response. */
function sendEndlessBody(head: string, chunk: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let response = '';
    const sendMore = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('data', (data) => {
      response += data.toString('latin1');
    });
    socket.on('drain', sendMore);
    // The server closes the connection without reading the body, after its response.
    socket.on('error', (error) => (response === '' ? reject(error) : resolve(response)));
    socket.on('close', () => resolve(response));
    socket.write(head);
    sendMore();
  });
}

describe('returns 405 before the body is read', () => {
  const chunk = `${(16_384).toString(16)}\r\n${'x'.repeat(16_384)}\r\n`;
  test.each(['/api/v1/items', '/nowhere', '/openapi-v1.json'])(
    'for %s with an endless body',
    async (path) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const response = await sendEndlessBody(head, chunk);
      expect(response).toMatch(/^HTTP\/1\.1 405 /);
      expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n');
      expect(response).toContain('"code":"method_not_allowed"');
    },
  );

  test('for a declared body of a terabyte that is never sent', async () => {
    const head = 'PUT /api/v1/items HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n';
    expect(await sendRawRequest(origin, head)).toMatch(/^HTTP\/1\.1 405 /);
  });

  test('without 100 Continue for a client that expects it', async () => {
    const response = await sendRawRequest(
      origin,
      'POST /api/v1/items HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1\.1 405 /);
    expect(response).not.toContain('100 Continue');
  });

  test.each(['text/plain', 'application/json', 'multipart/form-data', 'nonsense'])(
    'for a body of any media type: %s',
    async (type) => {
      const headers = { 'content-type': type };
      const response = await sendRequest(origin, {
        path: '/x',
        method: 'POST',
        headers,
        body: '{"a":',
      });
      expect(response.status).toBe(405);
    },
  );
});

test('refuses an unknown method and a tunnel with a problem', async () => {
  for (const line of ['BREW /api/v1/items', 'CONNECT example.com:443']) {
    const response = await sendRawRequest(origin, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 405 /);
    expect(response).toContain('\r\nallow: GET, HEAD, OPTIONS\r\n');
    expect(response).toContain('application/problem+json');
  }
});
