// The relay's client against servers: connections are reused, stale ones are detected, cancellation
// ends an exchange, and TLS is verified.
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
import { serve, serveRaw, serveTls } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

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

test('sends a request unchanged, text of any script included', async () => {
  const { origin, port } = await serve(echo);
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
  /** `ports`: the client ports that the server saw. */
  const countingPorts = async () => {
    const ports = new Set<number | undefined>();
    const { origin } = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      echo(req, res);
    });
    const clients = openStreamingClients();
    return { ports, clients, client: clientTo(clients, origin) };
  };

  test('are reused, as many as were needed at a time', async () => {
    const { ports, clients, client } = await countingPorts();
    for (let n = 0; n < 5; n += 1) {
      await Promise.all(
        [1, 2, 3].map(() => outcomeOf(client.prepare('{}', new CancelToken()).send())),
      );
    }
    clients.close();
    expect(ports.size).toBe(3);
  });

  test('are reused after a complete unread response', async () => {
    const { ports, clients, client } = await countingPorts();
    const long = 'a'.repeat(40_000);
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await client.prepare(long, new CancelToken()).send();
      expect([status, JSON.parse(await bodyOf(body)).body]).toEqual([200, long]);
    }
    clients.close();
    expect(ports.size).toBe(1);
  });

  test('that are open and unused serve the next request', async () => {
    const { ports, clients, client } = await countingPorts();
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    const halt = new CancelToken<'finished'>();
    const never = client.prepare('{}', halt);
    halt.cancel('finished');
    await expect(never.send()).rejects.toThrow('the response was cut off');
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    clients.close();
    expect(ports.size).toBe(1);
  });

  test('that the server closed meanwhile are replaced, and the request is repeated', async () => {
    const bodies: string[] = [];
    const server = await serve(async (req: IncomingMessage, res) => {
      bodies.push(await bodyOf(req));
      // The server closes the connection at the second request.
      if (isOld.has(req.socket)) return req.socket.destroy();
      isOld.add(req.socket);
      res.end('{}');
    });
    const isOld = new WeakSet<object>();
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    const first = await outcomeOf(client.prepare('1', new CancelToken()).send());
    const second = await outcomeOf(client.prepare('2', new CancelToken()).send());
    clients.close();
    expect([first, second, bodies]).toEqual([
      [200, '{}'],
      [200, '{}'],
      ['1', '2', '2'],
    ]);
  });

  test('are reused when the reader reports the end of the response', async () => {
    const responses: ServerResponse[] = [];
    const ports = new Set<number | undefined>();
    const { origin } = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      responses.push(res);
      req.resume();
      res.write('a');
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, origin);
    for (let n = 0; n < 3; n += 1) {
      const cancelled = new CancelToken<'finished'>();
      const { body } = await client.prepare('{}', cancelled).send();
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      body.deliverTo({
        onChunk: () => responses.at(-1)?.end(),
        onEnd: (error) => {
          cancelled.cancel('finished');
          resolve(error);
        },
      });
      expect(await promise).toBeNull();
    }
    clients.close();
    expect(ports.size).toBe(1);
  });

  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  const timeoutResponse =
    'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

  test('with bytes before a request are not reused', async () => {
    const sockets: Socket[] = [];
    const server = await serveRaw((socket) => {
      sockets.push(socket);
      socket.write(ok);
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    const ready = client.prepare('{}', new CancelToken());
    const lost = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.write(timeoutResponse);
    await Promise.all(lost);
    expect(await outcomeOf(ready.send())).toEqual([200, '{}']);
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('that the server closes with 408 are replaced', async () => {
    const server = await serveRaw((socket) => {
      socket.write(ok);
      socket.once('data', () => socket.end(timeoutResponse));
    });
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    await outcomeOf(client.prepare('{}', new CancelToken()).send());
    expect(await outcomeOf(client.prepare('{}', new CancelToken()).send())).toEqual([200, '{}']);
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('are not tried in sequence when each closes after a request', async () => {
    const bodies: string[] = [];
    const { origin } = await serve(async (req, res) => {
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
    const refused = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\n\r\n{}';
    const server = await serveRaw((socket) => socket.pause().write(refused));
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    for (let n = 0; n < 2; n += 1) {
      const pendingResponse = client.prepare('a'.repeat(8 * 1024 * 1024), new CancelToken()).send();
      expect(await outcomeOf(pendingResponse)).toEqual([413, '{}']);
    }
    clients.close();
    expect(server.requestCount()).toBe(2);
  });

  test('with more bytes than the response are not reused', async () => {
    const server = await serveRaw((socket) => socket.write(`${ok}${ok}`));
    const clients = openStreamingClients();
    const client = clientTo(clients, server.origin);
    for (let n = 0; n < 3; n += 1) {
      expect(await outcomeOf(client.prepare('{}', new CancelToken()).send())).toEqual([200, '{}']);
    }
    clients.close();
    expect(server.requestCount()).toBe(3);
  });
});

describe('a response', () => {
  test('that never begins is an error with its reason', async () => {
    const refused = clientTo(clients, 'http://127.0.0.1:1').prepare('{}', new CancelToken()).send();
    await expect(refused).rejects.toThrow('ECONNREFUSED');
    const closingServer = await serveRaw((socket) => socket.destroy());
    const lost = clientTo(clients, closingServer.origin).prepare('{}', new CancelToken()).send();
    await expect(lost).rejects.toThrow('the response was cut off');
    const wrongProtocol = await serveRaw((socket) => socket.end('SSH-2.0\r\n\r\n'));
    const invalidResponse = clientTo(clients, wrongProtocol.origin)
      .prepare('{}', new CancelToken())
      .send();
    await expect(invalidResponse).rejects.toThrow('the response is not HTTP');
  });

  test('ends by its cancel token, before it begins and during the body', async () => {
    const closed: Promise<unknown>[] = [];
    const server = await serve((req, res) => {
      closed.push(once(req.socket, 'close'));
      req.resume();
      if (closed.length === 2) res.write('{');
      else requestArrived.resolve();
    });
    const requestArrived = Promise.withResolvers<void>();
    const before = new CancelToken<'disconnected'>();
    const pendingResponse = clientTo(clients, server.origin).prepare('{}', before).send();
    await requestArrived.promise;
    before.cancel('disconnected');
    await expect(pendingResponse).rejects.toThrow('the response was cut off');
    const token = new CancelToken<'disconnected'>();
    const { body } = await clientTo(clients, server.origin).prepare('{}', token).send();
    const reader = body[Symbol.asyncIterator]();
    expect(String((await reader.next()).value)).toBe('{');
    token.cancel('disconnected');
    await expect(reader.next()).rejects.toThrow('the response was cut off');
    await Promise.all(closed);
  });

  test('of many megabytes arrives complete, no faster than it is read', async () => {
    const bytes = Buffer.alloc(24 * 1024 * 1024, 'abc');
    let flowed = 0;
    const { origin } = await serve((req, res) => {
      req.resume();
      res.end(bytes);
      flowed = res.writableLength;
    });
    const { body } = await clientTo(clients, origin).prepare('{}', new CancelToken()).send();
    expect(flowed).toBeGreaterThan(0);
    let size = 0;
    for await (const piece of body) size += piece.length;
    expect(size).toBe(bytes.length);
  });
});

test('accepts TLS only with a trusted certificate for the name', async () => {
  const identity = selfSigned({ addresses: ['127.0.0.1'] });
  const server = await serveTls(identity, echo);
  const clients = openStreamingClients();
  const pendingResponse = clientTo(clients, server.origin).prepare('{}', new CancelToken()).send();
  await expect(pendingResponse).rejects.toThrow('self-signed');
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([identity.cert]);
  const [status] = await outcomeOf(
    clientTo(clients, server.origin).prepare('{}', new CancelToken()).send(),
  );
  clients.close();
  tls.setDefaultCACertificates(before);
  expect(status).toBe(200);
});
