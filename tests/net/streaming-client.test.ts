// The relay's client sends requests to real servers. It reuses connections, detects stale
// connections, ends an exchange on cancellation, and verifies TLS.
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { CancelToken } from '../../src/kernel/concurrency/cancel-token.ts';
import {
  openStreamingClients,
  type StreamedResponse,
  type StreamingClients,
} from '../../src/kernel/net/streaming-client.ts';
import { openHttpServer, openRawServer, openTlsServer } from './loopback.ts';
import { createCertificate } from './self-signed.ts';

const clients = openStreamingClients();
afterEach(() => clients.close());

const bodyOf = async (stream: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

const echo: RequestListener = async (req, res) => {
  const body = await bodyOf(req);
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ line: `${req.method} ${req.url}`, headers: req.rawHeaders, body }));
};

const clientTo = (clients: StreamingClients, origin: string) =>
  clients.clientFor({ url: `${origin}/v1/x?y`, method: 'POST', headers: { 'x-key': 'a b' } });

async function outcomeOf(pending: Promise<StreamedResponse>) {
  const { status, body } = await pending;
  return [status, await bodyOf(body)];
}

test('sends a request unchanged, including text of any script', async () => {
  const { origin, port } = await openHttpServer(echo);
  const clients = openStreamingClients();
  const body = '{"é":"日本 🎏"}';
  const [status, text] = await outcomeOf(
    clientTo(clients, origin).prepare(body, new CancelToken()).send(),
  );
  clients.close();
  const headers = ['host', `127.0.0.1:${port}`, 'connection', 'keep-alive', 'x-key', 'a b'];
  expect([status, JSON.parse(String(text))]).toEqual([
    200,
    {
      line: 'POST /v1/x?y',
      headers: [...headers, 'content-length', String(Buffer.byteLength(body))],
      body,
    },
  ]);
});

test('refuses a header field with a line break before sending', () => {
  const headers = { 'x-key': 'a\r\nx-other: b' };
  expect(() => clients.clientFor({ url: 'http://a/', method: 'GET', headers })).toThrow(
    'the header field x-key cannot be sent',
  );
});

describe('connections', () => {
  /** `ports`: the ports of the client, as the server received them. */
  const openPortCounter = async () => {
    const ports = new Set<number | undefined>();
    const { origin } = await openHttpServer((req, res) => {
      ports.add(req.socket.remotePort);
      echo(req, res);
    });
    const clients = openStreamingClients();
    return { ports, clients, client: clientTo(clients, origin) };
  };

  test('are reused, and no more exist than were needed at the same time', async () => {
    const { ports, clients, client } = await openPortCounter();
    for (let index = 0; index < 5; index += 1) {
      await Promise.all(
        [1, 2, 3].map(() => outcomeOf(client.prepare('{}', new CancelToken()).send())),
      );
    }
    clients.close();
    expect(ports.size).toBe(3);
  });

  test('are reused after a long response', async () => {
    const { ports, clients, client } = await openPortCounter();
    const longResponse = 'a'.repeat(40_000);
    for (let index = 0; index < 3; index += 1) {
      const { status, body } = await client.prepare(longResponse, new CancelToken()).send();
      expect([status, JSON.parse(await bodyOf(body)).body]).toEqual([200, longResponse]);
    }
    clients.close();
    expect(ports.size).toBe(1);
  });

  test('of a request that was cancelled before sending serve the next request', async () => {
    const { ports, clients, client } = await openPortCounter();
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    const cancelToken = new CancelToken<'finished'>();
    const cancelledRequest = client.prepare('{}', cancelToken);
    cancelToken.cancel('finished');
    await expect(cancelledRequest.send()).rejects.toThrow('the response was cut off');
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    clients.close();
    expect(ports.size).toBe(1);
  });

  test('that the server closed meanwhile are replaced, and the request is repeated', async () => {
    const bodies: string[] = [];
    const server = await openHttpServer(async (req: IncomingMessage, res) => {
      bodies.push(await bodyOf(req));
      // The server closes the connection at the second request.
      if (servedSockets.has(req.socket)) return req.socket.destroy();
      servedSockets.add(req.socket);
      res.end('{}');
    });
    const servedSockets = new WeakSet<object>();
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    const firstResponse = await outcomeOf(client.prepare('1', new CancelToken()).send());
    const secondResponse = await outcomeOf(client.prepare('2', new CancelToken()).send());
    clients.close();
    expect([firstResponse, secondResponse, bodies]).toEqual([
      [200, '{}'],
      [200, '{}'],
      ['1', '2', '2'],
    ]);
  });

  test('are reused when the reader reports the end of the response', async () => {
    const responses: ServerResponse[] = [];
    const ports = new Set<number | undefined>();
    const { origin } = await openHttpServer((req, res) => {
      ports.add(req.socket.remotePort);
      responses.push(res);
      req.resume();
      res.write('a');
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, origin);
    for (let index = 0; index < 3; index += 1) {
      const cancelledToken = new CancelToken<'finished'>();
      const { body } = await client.prepare('{}', cancelledToken).send();
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      body.deliverTo({
        onChunk: () => responses.at(-1)?.end(),
        onEnd: (error) => {
          cancelledToken.cancel('finished');
          resolve(error);
        },
      });
      expect(await promise).toBeNull();
    }
    clients.close();
    expect(ports.size).toBe(1);
  });

  const okResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  const timeoutResponse =
    'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

  test('with bytes before a request are not reused', async () => {
    const sockets: Socket[] = [];
    const server = await openRawServer((socket) => {
      sockets.push(socket);
      socket.write(okResponse);
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    const readyRequest = client.prepare('{}', new CancelToken());
    const closings = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.write(timeoutResponse);
    await Promise.all(closings);
    expect(await outcomeOf(readyRequest.send())).toEqual([200, '{}']);
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('that the server closes with 408 are replaced', async () => {
    const server = await openRawServer((socket) => {
      socket.write(okResponse);
      socket.once('data', () => socket.end(timeoutResponse));
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    expect(await outcomeOf(client.prepare('{}', new CancelToken()).send())).toEqual([200, '{}']);
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('that the server closes at a request are replaced once; then it fails', async () => {
    const bodies: string[] = [];
    const { origin } = await openHttpServer(async (req, res) => {
      const body = await bodyOf(req);
      bodies.push(body);
      if (body === 'die') req.socket.destroy();
      else res.end('{}');
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, origin);
    await Promise.all(
      [1, 2, 3].map(() => outcomeOf(client.prepare('{}', new CancelToken()).send())),
    );
    await expect(client.prepare('die', new CancelToken()).send()).rejects.toThrow(
      'the response was cut off',
    );
    clients.close();
    expect(bodies).toEqual(['{}', '{}', '{}', 'die', 'die']);
  });

  test('with a response before the whole request was read are not reused', async () => {
    const earlyResponse = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\n\r\n{}';
    const server = await openRawServer((socket) => socket.pause().write(earlyResponse));
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    for (let index = 0; index < 2; index += 1) {
      const pendingResponse = client.prepare('a'.repeat(8 * 1024 * 1024), new CancelToken()).send();
      expect(await outcomeOf(pendingResponse)).toEqual([413, '{}']);
    }
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('with more bytes than the response are not reused', async () => {
    const server = await openRawServer((socket) => socket.write(`${okResponse}${okResponse}`));
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    for (let index = 0; index < 3; index += 1) {
      expect(await outcomeOf(client.prepare('{}', new CancelToken()).send())).toEqual([200, '{}']);
    }
    clients.close();
    expect(server.requestCount()).toBe(3);
  });
});

describe('a response', () => {
  test('that never begins is an error with its reason', async () => {
    const refusedRequest = clientTo(clients, 'http://127.0.0.1:1')
      .prepare('{}', new CancelToken())
      .send();
    await expect(refusedRequest).rejects.toThrow('ECONNREFUSED');
    const closingServer = await openRawServer((socket) => socket.destroy());
    const lostResponse = clientTo(clients, closingServer.origin)
      .prepare('{}', new CancelToken())
      .send();
    await expect(lostResponse).rejects.toThrow('the response was cut off');
    const wrongProtocol = await openRawServer((socket) => socket.end('SSH-2.0\r\n\r\n'));
    const invalidResponse = clientTo(clients, wrongProtocol.origin)
      .prepare('{}', new CancelToken())
      .send();
    await expect(invalidResponse).rejects.toThrow('the response is not HTTP');
  });

  test('ends when its token is cancelled, before the response and during the body', async () => {
    const closedConnections: Promise<unknown>[] = [];
    const server = await openHttpServer((req, res) => {
      closedConnections.push(once(req.socket, 'close'));
      req.resume();
      if (closedConnections.length === 2) res.write('{');
      else requestArrived.resolve();
    });
    const requestArrived = Promise.withResolvers<void>();
    const tokenBefore = new CancelToken<'disconnected'>();
    const pendingResponse = clientTo(clients, server.origin).prepare('{}', tokenBefore).send();
    await requestArrived.promise;
    tokenBefore.cancel('disconnected');
    await expect(pendingResponse).rejects.toThrow('the response was cut off');
    const token = new CancelToken<'disconnected'>();
    const { body } = await clientTo(clients, server.origin).prepare('{}', token).send();
    const reader = body[Symbol.asyncIterator]();
    expect(String((await reader.next()).value)).toBe('{');
    token.cancel('disconnected');
    await expect(reader.next()).rejects.toThrow('the response was cut off');
    await Promise.all(closedConnections);
  });

  test('of many megabytes arrives complete, and only as fast as the caller reads', async () => {
    const bytes = Buffer.alloc(24 * 1024 * 1024, 'abc');
    let unsentBytes = 0;
    const { origin } = await openHttpServer((req, res) => {
      req.resume();
      res.end(bytes);
      unsentBytes = res.writableLength;
    });
    const { body } = await clientTo(clients, origin).prepare('{}', new CancelToken()).send();
    expect(unsentBytes).toBeGreaterThan(0);
    let size = 0;
    for await (const piece of body) size += piece.length;
    expect(size).toBe(bytes.length);
  });
});

test('accepts TLS only with a trusted certificate for the name', async () => {
  const identity = createCertificate({ addresses: ['127.0.0.1'] });
  const server = await openTlsServer(identity, echo);
  const clients = openStreamingClients();
  const pendingResponse = clientTo(clients, server.origin).prepare('{}', new CancelToken()).send();
  await expect(pendingResponse).rejects.toThrow('self-signed');
  const certificatesBefore = tls.getCACertificates('default');
  tls.setDefaultCACertificates([identity.cert]);
  const [status] = await outcomeOf(
    clientTo(clients, server.origin).prepare('{}', new CancelToken()).send(),
  );
  clients.close();
  tls.setDefaultCACertificates(certificatesBefore);
  expect(status).toBe(200);
});
