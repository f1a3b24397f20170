// Limits of the network: time, bytes, and responses that are not HTTP.
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  get,
  loopbackNet,
  openHttpServer,
  openRawServer,
  openSignal,
  responseOf,
  stoppedClock,
  textOf,
} from './loopback.ts';

const failure = (reason: string) => ({ kind: 'failed', reason });

describe('the deadline', () => {
  test('ends a request without a response', async () => {
    const clock = stoppedClock();
    const server = await openHttpServer(() => clock.advance(20_000));
    const outcome = await loopbackNet({ clock }).request(get(`${server.origin}/slow`));
    expect(outcome).toEqual({
      ...failure('timeout'),
      message: `GET ${server.origin}/slow: no complete response within 20000 ms`,
      durationMs: 20_000,
    });
  });

  test('ends a slow body', async () => {
    const clock = stoppedClock();
    const server = await openHttpServer((_request, response) => {
      response.write('<');
      let sentBytes = 0;
      const sendByte = () => {
        if (response.destroyed) return;
        sentBytes += 1;
        clock.advance(1_000);
        response.write('x', () => setImmediate(sendByte));
        if (sentBytes > 100) response.end();
      };
      sendByte();
    });
    const outcome = await loopbackNet({ clock }).request(get(server.origin, { timeoutMs: 30_000 }));
    expect(outcome).toMatchObject(failure('timeout'));
  });

  test('ends slow header lines', async () => {
    const clock = stoppedClock();
    const server = await openRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const sendByte = () => {
        if (socket.destroyed) return;
        clock.advance(1_000);
        socket.write('x-a: b\r\n', () => setImmediate(sendByte));
      };
      sendByte();
    });
    const outcome = await loopbackNet({ clock }).request(get(server.origin));
    expect(outcome).toMatchObject(failure('timeout'));
  });

  test('covers all redirects together', async () => {
    const clock = stoppedClock();
    const server = await openHttpServer((request, response) => {
      clock.advance(7_000);
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const outcome = await loopbackNet({ clock }).request(get(server.origin));
    expect(outcome).toMatchObject({ ...failure('timeout'), durationMs: 21_000 });
    expect(server.requestCount()).toBe(3);
  });

  test('ends a slow name resolution', async () => {
    const clock = stoppedClock();
    const arrival = openSignal();
    const lookup = () => {
      arrival.resolve();
      return new Promise<string[]>(() => {});
    };
    const outcome = loopbackNet({ clock, lookup }).request(get('http://slow.example/'));
    await arrival.promise;
    clock.advance(20_000);
    expect(await outcome).toMatchObject(failure('timeout'));
  });

  test('ends a TLS handshake without a response', async () => {
    const clock = stoppedClock();
    const server = await openRawServer(() => clock.advance(20_000));
    const outcome = await loopbackNet({ clock }).request(get(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toMatchObject(failure('timeout'));
  });

  test('may exceed the longest timer', async () => {
    const server = await openHttpServer((_request, response) => response.end('in time'));
    const outcome = await loopbackNet().request(get(server.origin, { timeoutMs: Infinity }));
    expect(textOf(outcome)).toBe('in time');
  });
});

describe('cancellation', () => {
  test('by the caller ends the body of a running response', async () => {
    const caller = new AbortController();
    const server = await openHttpServer((_request, response) => {
      response.write('half', () => caller.abort());
    });
    const outcome = await loopbackNet().request(get(server.origin, { signal: caller.signal }));
    const message = `GET ${server.origin}/: aborted by the caller`;
    expect(outcome).toEqual({ ...failure('aborted'), message, durationMs: 0 });
  });

  test('by the caller before the request sends nothing', async () => {
    const server = await openHttpServer((_request, response) => response.end());
    const outcome = await loopbackNet().request(
      get(server.origin, { signal: AbortSignal.abort() }),
    );
    expect(outcome).toMatchObject(failure('aborted'));
    expect(server.requestCount()).toBe(0);
  });

  test('by closing ends running requests and refuses new requests', async () => {
    const arrival = openSignal();
    const server = await openHttpServer(() => arrival.resolve());
    const net = loopbackNet();
    const pendingRequest = net.request(get(server.origin));
    await arrival.promise;
    await net.close();
    const message = `GET ${server.origin}/: the network is closed`;
    const closing = { ...failure('aborted'), message, durationMs: 0 };
    expect(await pendingRequest).toEqual(closing);
    expect(await net.request(get(server.origin))).toEqual(closing);
    await net.close();
    expect(server.requestCount()).toBe(1);
  });

  test('leaves no listener on the caller’s signal', async () => {
    const server = await openHttpServer((_request, response) => response.end('x'));
    const net = loopbackNet();
    const { signal } = new AbortController();
    let listeners = 0;
    const addListener = signal.addEventListener.bind(signal);
    const removeListener = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof addListener>) => {
      listeners += 1;
      addListener(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeListener>) => {
      listeners -= 1;
      removeListener(...args);
    };
    await net.request(get(server.origin, { signal }));
    expect(listeners).toBe(0);
  });
});

describe('size limits', () => {
  const maxBytes = 10_000;
  const body = Buffer.alloc(maxBytes + 1, 'x');

  test.each([
    ['announced', (size: number) => ({ 'content-length': size })],
    ['not announced', () => ({})],
  ])('accept exactly the limit and refuse one byte more, %s', async (_what, headers) => {
    const server = await openHttpServer((request, response) => {
      const sentBytes = body.subarray(0, request.url === '/exact' ? maxBytes : maxBytes + 1);
      response.writeHead(200, headers(sentBytes.length));
      response.write(sentBytes.subarray(0, 100));
      response.end(sentBytes.subarray(100));
    });
    const net = loopbackNet();
    const exactOutcome = responseOf(await net.request(get(`${server.origin}/exact`, { maxBytes })));
    expect([exactOutcome.body.length, exactOutcome.wireBytes]).toEqual([maxBytes, maxBytes]);
    expect(await net.request(get(`${server.origin}/more`, { maxBytes }))).toEqual({
      ...failure('too_large'),
      message: `GET ${server.origin}/more: more than ${maxBytes} bytes`,
      durationMs: 0,
    });
  });

  test('end an endless body and its connection', async () => {
    const connectionEnd = openSignal();
    const server = await openHttpServer((_request, response) => {
      response.on('close', () => connectionEnd.resolve());
      const sendMore = () => {
        while (!response.destroyed && response.write(body));
      };
      response.on('drain', sendMore);
      sendMore();
    });
    const outcome = await loopbackNet().request(get(server.origin, { maxBytes }));
    expect(outcome).toMatchObject(failure('too_large'));
    await connectionEnd.promise;
  });

  test.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ])('end a compression bomb in %s', async (coding, compress) => {
    const compressedZeros = compress(Buffer.alloc(4 << 20));
    const server = await openHttpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(compressedZeros);
    });
    const outcome = await loopbackNet().request(get(server.origin, { maxBytes }));
    expect(outcome).toEqual({
      ...failure('too_large'),
      message: `GET ${server.origin}/: unpacks (${coding}) to more than ${maxBytes} bytes`,
      durationMs: 0,
    });
  });

  test('report both sizes of a compressed body', async () => {
    const compressedBytes = zlib.gzipSync(body);
    const server = await openHttpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressedBytes);
    });
    const response = responseOf(await loopbackNet().request(get(server.origin)));
    expect([response.wireBytes, response.body.length]).toEqual([
      compressedBytes.length,
      body.length,
    ]);
    expect(response.headers['content-encoding']).toBe('gzip');
  });

  test('refuse a header of more than 64 KiB', async () => {
    const server = await openRawServer((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nx-big: ${'y'.repeat(70_000)}\r\n\r\nbody`);
    });
    const outcome = await loopbackNet().request(get(server.origin));
    const message = `GET ${server.origin}/: header of more than 65536 bytes`;
    expect(outcome).toEqual({ ...failure('too_large'), message, durationMs: 0 });
  });

  test('ignore the declared length of a HEAD response', async () => {
    const server = await openHttpServer((_request, response) => {
      response.writeHead(200, { 'content-length': 10 ** 9, 'content-encoding': 'gzip' }).end();
    });
    const outcome = await loopbackNet().request(get(server.origin, { method: 'HEAD', maxBytes }));
    expect(responseOf(outcome)).toMatchObject({ status: 200, wireBytes: 0 });
  });
});

const okHead = 'HTTP/1.1 200 OK\r\n';

describe('incomplete responses', () => {
  test.each<readonly [what: string, response: string]>([
    ['nothing at all', ''],
    ['a body shorter than announced', `${okHead}content-length: 10\r\n\r\nabc`],
    ['a chunked body without its end', `${okHead}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ['a chunk cut in half', `${okHead}transfer-encoding: chunked\r\n\r\nff\r\nabc`],
    ['invalid chunk sizes', `${okHead}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
    [
      'a chunk size above the integer range',
      `${okHead}transfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\nx`,
    ],
    ['half a header', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['an invalid content-length', `${okHead}content-length: many\r\n\r\nabc`],
    ['a negative content-length', `${okHead}content-length: -1\r\n\r\nabc`],
    [
      'two different content-lengths',
      `${okHead}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    ],
    [
      'content-length and chunked at once',
      `${okHead}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ],
    ['a greeting of another protocol', '220 mail.example ESMTP ready\r\n'],
    ['bytes', '\x00\x01\x02\xff\xfe'],
    ['HTML without a header', '<!doctype html><p>hello'],
    ['an unrequested protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['a header line without a name', `${okHead}: x\r\n\r\n`],
    ['a NUL in a header', `${okHead}x-a: b\0c\r\n\r\n`],
  ])('%s fails with the reason protocol', async (_what, rawResponse) => {
    const server = await openRawServer((socket) => socket.end(Buffer.from(rawResponse, 'latin1')));
    const outcome = await loopbackNet().request(get(server.origin));
    expect(outcome).toMatchObject(failure('protocol'));
  });

  test('by a connection reset fail with the reason protocol', async () => {
    const resetBefore = await openRawServer((socket) => void socket.resetAndDestroy());
    expect(await loopbackNet().request(get(resetBefore.origin))).toMatchObject(failure('protocol'));
    const resetLater = await openRawServer((socket) => {
      socket.write(`${okHead}content-length: 10\r\n\r\nabc`, () => socket.resetAndDestroy());
    });
    expect(await loopbackNet().request(get(resetLater.origin))).toMatchObject(failure('protocol'));
  });

  test.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
    'with half a body in %s fail with the reason protocol, though the framing is complete',
    async (coding) => {
      const compressedBody = {
        gzip: zlib.gzipSync,
        deflate: zlib.deflateSync,
        br: zlib.brotliCompressSync,
        zstd: zlib.zstdCompressSync,
      }[coding](Buffer.from('<rss>'.repeat(100)));
      const server = await openHttpServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding });
        response.end(compressedBody.subarray(0, compressedBody.length - 5));
      });
      expect(await loopbackNet().request(get(server.origin))).toMatchObject(failure('protocol'));
    },
  );

  test('from a closed port fail with the reason connect', async () => {
    expect(await loopbackNet().request(get('http://127.0.0.1:1/'))).toEqual({
      ...failure('connect'),
      message: 'GET http://127.0.0.1:1/: connect ECONNREFUSED 127.0.0.1:1',
      durationMs: 0,
    });
  });

  test('of a request with an invalid header are a failure, not an exception', async () => {
    const server = await openHttpServer((_request, response) => response.end());
    for (const headers of [
      { 'x-a': 'b\r\nx-c: d' },
      { 'bad name': 'x' },
      { 'transfer-encoding': 'chunked' },
    ]) {
      const outcome = await loopbackNet().request(get(server.origin, { headers }));
      expect(outcome).toMatchObject(failure('protocol'));
    }
    expect(server.requestCount()).toBe(0);
  });
});

describe('unusual complete responses', () => {
  test.each<readonly [what: string, response: string, body: string]>([
    ['no length: the end of the connection ends it', `${okHead}\r\nabc`, 'abc'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nabc', 'abc'],
    ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 3\r\n\r\nabc', 'abc'],
    ['more than announced', `${okHead}content-length: 3\r\nconnection: close\r\n\r\nabcdef`, 'abc'],
    [
      'early hints first',
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${okHead}content-length: 3\r\n\r\nabc`,
      'abc',
    ],
    [
      'a chunked body with a trailer',
      `${okHead}transfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nx-sum: 1\r\n\r\n`,
      'abc',
    ],
    ['an unusual status', 'HTTP/1.1 299 Fine\r\ncontent-length: 3\r\n\r\nabc', 'abc'],
  ])('%s', async (_what, rawResponse, body) => {
    const server = await openRawServer((socket) => socket.end(Buffer.from(rawResponse, 'latin1')));
    expect(textOf(await loopbackNet().request(get(server.origin)))).toBe(body);
  });
});
