// Requests as the server receives them, redirects, and responses as the caller receives them.
import { describe, expect, test } from 'vitest';
import { get, loopbackNet, openHttpServer, openRawServer, responseOf, textOf } from './loopback.ts';

type ReceivedRequest = { readonly line: string; readonly headers: object; readonly body: string };

/**
 * A server that records requests and sends the redirects of `routes`. Its responses contain the
 * requested path.
 */
async function openRecordingServer(
  routes: Readonly<Record<string, readonly [number, string]>> = {},
) {
  const receivedRequests: ReceivedRequest[] = [];
  const server = await openHttpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { host: _host, ...headers } = request.headers;
    receivedRequests.push({ line: `${request.method} ${request.url}`, headers, body });
    const route = routes[request.url ?? ''];
    if (route) response.writeHead(route[0], { location: route[1] });
    response.end(`this is ${request.url}`);
  });
  return {
    ...server,
    log: receivedRequests,
    lines: () => receivedRequests.map((request) => request.line),
  };
}

describe('a request', () => {
  test('names its user agent and the accepted codings', async () => {
    const server = await openRecordingServer();
    await loopbackNet().request(get(`${server.origin}/a?b=c#d`));
    expect(server.log).toEqual([
      {
        line: 'GET /a?b=c',
        headers: {
          accept: '*/*',
          'accept-encoding': 'gzip, deflate, br, zstd',
          connection: 'close',
          'user-agent': 'content-radar-test/1.0',
        },
        body: '',
      },
    ]);
  });

  test('has the headers and the body of the caller', async () => {
    const server = await openRecordingServer();
    const net = loopbackNet();
    const headers = { 'user-agent': 'mine', 'if-none-match': '"caf\xe9"', accept: 'text/plain' };
    await net.request(get(server.origin, { method: 'POST', body: '{"新":1}', headers }));
    await net.request(get(server.origin, { method: 'POST', body: new Uint8Array([65, 66]) }));
    expect(server.log[0]).toMatchObject({ line: 'POST /', headers, body: '{"新":1}' });
    expect(server.log[1]).toMatchObject({ line: 'POST /', body: 'AB' });
  });

  test('returns status, header fields, body and address', async () => {
    const server = await openRawServer((socket) => {
      socket.end(
        'HTTP/1.1 404 Nope\r\nETag: "caf\xe9"\r\nVary: a\r\nvary: b\r\nSet-Cookie: x=1\r\n' +
          'set-cookie: y=2\r\n__proto__: z\r\ncontent-length: 3\r\n\r\nabc',
        'latin1',
      );
    });
    const outcome = responseOf(await loopbackNet().request(get(`${server.origin}/a/../b#part`)));
    const headers = Object.entries(outcome.headers);
    expect({ ...outcome, headers, body: textOf(outcome) }).toEqual({
      kind: 'response',
      status: 404,
      headers: [
        ['etag', '"caf\xe9"'],
        ['vary', 'a, b'],
        ['set-cookie', 'x=1, y=2'],
        ['__proto__', 'z'],
        ['content-length', '3'],
      ],
      body: 'abc',
      wireBytes: 3,
      url: `${server.origin}/b#part`,
      redirects: [],
      durationMs: 0,
    });
  });

  test.each([204, 304])('a response with status %i has no body', async (status) => {
    const server = await openHttpServer((_request, response) => response.writeHead(status).end());
    const outcome = responseOf(await loopbackNet().request(get(server.origin)));
    expect([outcome.status, outcome.wireBytes, outcome.body.length]).toEqual([status, 0, 0]);
  });
});

describe('redirects', () => {
  test('are followed and reported hop by hop', async () => {
    const target = await openRecordingServer();
    const server = await openRecordingServer({
      '/a': [301, '/b'],
      '/b': [302, 'c?d'],
      '/c?d': [303, `//127.0.0.1:${target.port}/e`],
    });
    const outcome = responseOf(await loopbackNet().request(get(`${server.origin}/a#part`)));
    expect(Buffer.from(outcome.body).toString()).toBe('this is /e');
    expect(outcome.url).toBe(`${target.origin}/e#part`);
    expect(outcome.redirects).toEqual([
      { from: `${server.origin}/a#part`, to: `${server.origin}/b#part`, status: 301 },
      { from: `${server.origin}/b#part`, to: `${server.origin}/c?d#part`, status: 302 },
      { from: `${server.origin}/c?d#part`, to: `${target.origin}/e#part`, status: 303 },
    ]);
  });

  test.each<readonly [number, string, string]>([
    [301, 'GET /b', ''],
    [302, 'GET /b', ''],
    [303, 'GET /b', ''],
    [307, 'POST /b', '{}'],
    [308, 'POST /b', '{}'],
  ])('continue a POST after %i as %s', async (status, line, body) => {
    const server = await openRecordingServer({ '/a': [status, '/b'] });
    const headers = { 'content-type': 'application/json' };
    await loopbackNet().request(get(`${server.origin}/a`, { method: 'POST', body: '{}', headers }));
    expect(server.log[1]).toMatchObject({ line, body });
  });

  test('send no secrets to another origin, and restore none afterwards', async () => {
    const returnTarget: Record<string, readonly [number, string]> = {};
    const otherOrigin = await openRecordingServer(returnTarget);
    const server = await openRecordingServer({ '/a': [307, `${otherOrigin.origin}/b`] });
    returnTarget['/b'] = [307, `${server.origin}/c`];
    const headers = { authorization: 'Bearer s', cookie: 'a=b', 'x-api-key': 'k', accept: 'x/y' };
    await loopbackNet().request(get(`${server.origin}/a`, { headers }));
    expect(server.log[0]?.headers).toMatchObject(headers);
    for (const hop of [otherOrigin.log[0], server.log[1]]) {
      expect(hop?.headers).toEqual({
        accept: 'x/y',
        'accept-encoding': 'gzip, deflate, br, zstd',
        connection: 'close',
        'user-agent': 'content-radar-test/1.0',
      });
    }
  });

  test('end after the number that the request permits', async () => {
    const server = await openRecordingServer({
      '/0': [302, '/1'],
      '/1': [302, '/2'],
      '/2': [302, '/3'],
    });
    const net = loopbackNet();
    const refusedThird = await net.request(get(`${server.origin}/0`, { maxRedirects: 2 }));
    expect(refusedThird).toEqual({
      kind: 'failed',
      reason: 'redirects',
      message:
        `GET ${server.origin}/0 → ${server.origin}/1 → ${server.origin}/2` +
        ` → ${server.origin}/3: more than 2 redirects`,
      durationMs: 0,
    });
    const threeRedirects = await net.request(get(`${server.origin}/0`, { maxRedirects: 3 }));
    expect(textOf(threeRedirects)).toBe('this is /3');
  });

  test('end after five by default', async () => {
    const server = await openHttpServer((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    expect(await loopbackNet().request(get(server.origin))).toMatchObject({ reason: 'redirects' });
    expect(server.requestCount()).toBe(6);
  });

  test('are returned when the request permits no redirect', async () => {
    const server = await openRecordingServer({ '/a': [301, 'http://10.0.0.1/'] });
    const outcome = await loopbackNet().request(get(`${server.origin}/a`, { maxRedirects: 0 }));
    expect(responseOf(outcome)).toMatchObject({ status: 301, redirects: [] });
    expect(responseOf(outcome).headers.location).toBe('http://10.0.0.1/');
    expect(textOf(outcome)).toBe('this is /a');
  });

  test('that lead back to an earlier address end at once', async () => {
    const server = await openRecordingServer({
      '/a': [302, '/b'],
      '/b': [302, '/a#x'],
      '/self': [301, ''],
    });
    const net = loopbackNet();
    const message = expect.stringContaining('the redirects form a loop');
    const failure = { kind: 'failed', reason: 'redirects', message };
    expect(await net.request(get(`${server.origin}/a`))).toMatchObject(failure);
    expect(await net.request(get(`${server.origin}/self`))).toMatchObject(failure);
    expect(server.lines()).toEqual(['GET /a', 'GET /b', 'GET /self']);
  });

  test('may lead a POST back to its own address as a GET', async () => {
    let requests = 0;
    const server = await openHttpServer((request, response) => {
      requests += 1;
      if (request.method === 'POST') response.writeHead(303, { location: '/form' });
      response.end(request.method);
    });
    const outcome = await loopbackNet().request(get(`${server.origin}/form`, { method: 'POST' }));
    expect([textOf(outcome), requests]).toEqual(['GET', 2]);
  });

  test.each(['ftp://example.com/', 'http://u:p@127.0.0.1/', 'http://[bad/', 'file:///etc/passwd'])(
    'to %s fail',
    async (location) => {
      const server = await openRecordingServer({ '/a': [302, location] });
      const outcome = await loopbackNet().request(get(`${server.origin}/a`));
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'redirects' });
    },
  );

  test('do not wait for the body of the redirecting response', async () => {
    const server = await openHttpServer((request, response) => {
      if (request.url === '/end') return response.end('arrived');
      response.writeHead(302, { location: '/end' });
      response.write('this never ends');
    });
    expect(textOf(await loopbackNet().request(get(server.origin)))).toBe('arrived');
  });
});
