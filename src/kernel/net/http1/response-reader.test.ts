import { describe, expect, test } from 'vitest';
import { HttpResponseReader } from './response-reader.ts';

type ReceivedResponse = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isKept: boolean | null;
  readonly isComplete: boolean;
  /** Number of bytes after the response. */
  readonly more: number;
};

/** Feeds the text in pieces that end at the given positions, and closes the reader. */
function readResponse(
  wire: string,
  cuts: readonly number[] = [],
  isClosed = false,
): ReceivedResponse {
  let status: number | null = null;
  let headers: ReceivedResponse['headers'] = {};
  let isKept: boolean | null = null;
  let isComplete = false;
  const body: Buffer[] = [];
  const reader = new HttpResponseReader({
    head: (head) => {
      ({ status, isKept } = head);
      headers = { ...head.headers };
    },
    piece: (bytes) => body.push(bytes),
    end: () => {
      isComplete = true;
    },
  });
  const bytes = Buffer.from(wire, 'latin1');
  let more = 0;
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (to > from) more += isComplete ? to - from : reader.feed(bytes.subarray(from, to));
    from = to;
  }
  if (isClosed) reader.close();
  return {
    status,
    headers,
    isKept,
    isComplete,
    more,
    body: Buffer.concat(body).toString('latin1'),
  };
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('a response is parsed equally for any chunking of its bytes', () => {
  const chunked = `${ok}Transfer-Encoding: Chunked\r\nX-One: a\r\nx-one:\tb \r\n\r\n`;
  const provisional = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: a\r\n\r\n';
  const wires = {
    fixedLength: `${ok}content-length: 5\r\n\r\nhello`,
    chunked: `${chunked}5;name="v"\r\nhello\r\n00A \r\n, world!!!\r\n0\r\nx-sum: 1\r\n\r\n`,
    'after provisional answers': `${provisional}${ok}content-length: 2\r\n\r\nhi`,
    'without a reason, without a body': 'HTTP/1.1 204\r\n\r\n',
    'until it closes': `${ok}\r\nhello`,
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
      const each = Array.from({ length: wire.length }, (_, index) => index);
      expect(readResponse(wire, each, isClosed)).toEqual(response);
    });
  }

  test('as status, headers and body', () => {
    expect(readResponse(wires.chunked)).toEqual({
      status: 200,
      headers: { 'transfer-encoding': 'Chunked', 'x-one': 'a, b' },
      body: 'hello, world!!!',
      isKept: true,
      isComplete: true,
      more: 0,
    });
    expect(readResponse(`${wires.fixedLength}HTTP`)).toMatchObject({ body: 'hello', more: 4 });
  });
});

test('reuses a connection unless the response forbids it or has no length', () => {
  const isKept = (wire: string) => readResponse(wire, []).isKept;
  expect(isKept(`${ok}content-length: 0\r\n\r\n`)).toBe(true);
  expect(isKept(`${ok}content-length: 0\r\nconnection: foo, Close\r\n\r\n`)).toBe(false);
  expect(isKept('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n')).toBe(false);
  expect(isKept(`${ok}\r\n`)).toBe(false);
});

describe('an ambiguous or endless response is refused', () => {
  const trailer = `x: ${'a'.repeat(4_000)}\r\n`;
  const cases = {
    'not HTTP': 'SSH-2.0-OpenSSH\r\n\r\n',
    'another version': 'HTTP/2.0 200 OK\r\n\r\n',
    'a name with a space': `${ok}content-length : 5\r\n\r\n`,
    'a folded line': `${ok}x: a\r\n b\r\n\r\n`,
    'a line without a colon': `${ok}content-length\r\n\r\n`,
    'a line feed alone': `${ok}x: a\ny: b\r\n\r\n`,
    'a carriage return alone': `${ok}x: a\rb\r\n\r\n`,
    'a null byte': `${ok}x: a\0b\r\n\r\n`,
    'two lengths': `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\n`,
    'a signed length': `${ok}content-length: +5\r\n\r\n`,
    'a length and chunks': `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
    'another coding': `${ok}transfer-encoding: gzip, chunked\r\n\r\n`,
    'chunks of HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    'a chunk without a length': `${ok}transfer-encoding: chunked\r\n\r\n\r\n`,
    'a chunk of a wrong length': `${ok}transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n`,
    'a chunk that is longer': `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello!\r\n`,
    'a chunk line with a line feed': `${ok}transfer-encoding: chunked\r\n\r\n5\nhello\r\n`,
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    'provisional answers for ever': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(30),
    'a head for ever': `${ok}x: ${'a'.repeat(70_000)}`,
    'a chunk line for ever': `${ok}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(9_000)}`,
    'trailers for ever': `${ok}transfer-encoding: chunked\r\n\r\n0\r\n${trailer.repeat(20)}`,
  };
  for (const [name, wire] of Object.entries(cases)) {
    test(name, () => expect(() => readResponse(wire)).toThrow());
  }

  test('when it is cut off', () => {
    for (const wire of [ok, `${ok}content-length: 5\r\n\r\nhell`]) {
      expect(() => readResponse(wire, [], true)).toThrow('the response was cut off');
    }
    const open = `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`;
    expect(() => readResponse(open, [], true)).toThrow('the response was cut off');
  });
});
