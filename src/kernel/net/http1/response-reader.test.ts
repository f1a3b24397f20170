import { describe, expect, test } from 'vitest';
import { HttpResponseReader } from './response-reader.ts';

type ReceivedResponse = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isPersistent: boolean | null;
  readonly isComplete: boolean;
  /** Number of bytes after the response. */
  readonly extraByteCount: number;
};

/** Feeds the text in pieces that end at `cuts`. `isClosed`: the connection then ends. */
function readResponse(
  wire: string,
  cuts: readonly number[] = [],
  isClosed = false,
): ReceivedResponse {
  let status: number | null = null;
  let headers: ReceivedResponse['headers'] = {};
  let isPersistent: boolean | null = null;
  let isComplete = false;
  const body: Buffer[] = [];
  const reader = new HttpResponseReader({
    onHead: (head) => {
      ({ status, isPersistent } = head);
      headers = { ...head.headers };
    },
    onChunk: (bytes) => body.push(bytes),
    onEnd: () => {
      isComplete = true;
    },
  });
  const bytes = Buffer.from(wire, 'latin1');
  let extraByteCount = 0;
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (to > from) extraByteCount += isComplete ? to - from : reader.feed(bytes.subarray(from, to));
    from = to;
  }
  if (isClosed) reader.close();
  return {
    status,
    headers,
    isPersistent,
    isComplete,
    extraByteCount,
    body: Buffer.concat(body).toString('latin1'),
  };
}

const OK_LINE = 'HTTP/1.1 200 OK\r\n';

describe('a response is parsed equally for any chunking of its bytes', () => {
  const chunked = `${OK_LINE}Transfer-Encoding: Chunked\r\nX-One: a\r\nx-one:\tb \r\n\r\n`;
  const provisionalResponses = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: a\r\n\r\n';
  const wires = {
    fixedLength: `${OK_LINE}content-length: 5\r\n\r\nhello`,
    chunked: `${chunked}5;name="v"\r\nhello\r\n00A \r\n, world!!!\r\n0\r\nx-sum: 1\r\n\r\n`,
    'after provisional responses': `${provisionalResponses}${OK_LINE}content-length: 2\r\n\r\nhi`,
    'without a reason phrase and a body': 'HTTP/1.1 204\r\n\r\n',
    'until it closes': `${OK_LINE}\r\nhello`,
  };
  for (const [name, wire] of Object.entries(wires)) {
    test(name, () => {
      const isClosed = name === 'until it closes';
      const response = readResponse(wire, [], isClosed);
      expect(response.isComplete).toBe(true);
      for (let size = 1; size < wire.length; size += 1) {
        expect(readResponse(wire, [size], isClosed)).toEqual(response);
        expect(readResponse(wire, [size, Math.min(wire.length, size + 3)], isClosed)).toEqual(
          response,
        );
      }
      const everyPosition = Array.from({ length: wire.length }, (_, index) => index);
      expect(readResponse(wire, everyPosition, isClosed)).toEqual(response);
    });
  }

  test('returns status, headers and body', () => {
    expect(readResponse(wires.chunked)).toEqual({
      status: 200,
      headers: { 'transfer-encoding': 'Chunked', 'x-one': 'a, b' },
      body: 'hello, world!!!',
      isPersistent: true,
      isComplete: true,
      extraByteCount: 0,
    });
    expect(readResponse(`${wires.fixedLength}HTTP`)).toMatchObject({
      body: 'hello',
      extraByteCount: 4,
    });
  });
});

test('reuses a connection unless the response forbids it or has no length', () => {
  const isPersistent = (wire: string) => readResponse(wire, []).isPersistent;
  expect(isPersistent(`${OK_LINE}content-length: 0\r\n\r\n`)).toBe(true);
  expect(isPersistent(`${OK_LINE}content-length: 0\r\nconnection: foo, Close\r\n\r\n`)).toBe(false);
  expect(isPersistent('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n')).toBe(false);
  expect(isPersistent(`${OK_LINE}\r\n`)).toBe(false);
});

describe('refuses an ambiguous or endless response', () => {
  const trailer = `x: ${'a'.repeat(4_000)}\r\n`;
  const cases = {
    'not HTTP': 'SSH-2.0-OpenSSH\r\n\r\n',
    'another version': 'HTTP/2.0 200 OK\r\n\r\n',
    'a name with a space': `${OK_LINE}content-length : 5\r\n\r\n`,
    'a folded line': `${OK_LINE}x: a\r\n b\r\n\r\n`,
    'a line without a colon': `${OK_LINE}content-length\r\n\r\n`,
    'a line feed without a carriage return': `${OK_LINE}x: a\ny: b\r\n\r\n`,
    'a carriage return without a line feed': `${OK_LINE}x: a\rb\r\n\r\n`,
    'a null byte': `${OK_LINE}x: a\0b\r\n\r\n`,
    'two lengths': `${OK_LINE}content-length: 5\r\ncontent-length: 6\r\n\r\n`,
    'a signed length': `${OK_LINE}content-length: +5\r\n\r\n`,
    'both a length and chunks': `${OK_LINE}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
    'another coding': `${OK_LINE}transfer-encoding: gzip, chunked\r\n\r\n`,
    'chunks of HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    'a chunk without a length': `${OK_LINE}transfer-encoding: chunked\r\n\r\n\r\n`,
    'a chunk of a wrong length': `${OK_LINE}transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n`,
    'a chunk longer than its size': `${OK_LINE}transfer-encoding: chunked\r\n\r\n5\r\nhello!\r\n`,
    'a chunk line with a line feed': `${OK_LINE}transfer-encoding: chunked\r\n\r\n5\nhello\r\n`,
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    'endless provisional responses': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(30),
    'an endless head': `${OK_LINE}x: ${'a'.repeat(70_000)}`,
    'an endless chunk line': `${OK_LINE}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(9_000)}`,
    'endless trailers': `${OK_LINE}transfer-encoding: chunked\r\n\r\n0\r\n${trailer.repeat(20)}`,
  };
  for (const [name, wire] of Object.entries(cases)) {
    test(name, () => expect(() => readResponse(wire)).toThrow());
  }

  test('a truncated response', () => {
    for (const wire of [OK_LINE, `${OK_LINE}content-length: 5\r\n\r\nhell`]) {
      expect(() => readResponse(wire, [], true)).toThrow('the response was cut off');
    }
    const unfinishedWire = `${OK_LINE}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`;
    expect(() => readResponse(unfinishedWire, [], true)).toThrow('the response was cut off');
  });
});
