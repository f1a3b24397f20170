import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { undoContentCoding } from './content-coding.ts';

const text = '<rss>新闻 '.repeat(400);
const cap = 100_000;

describe('a content coding is decoded', () => {
  test.each<readonly [coding: string | undefined, wire: Uint8Array]>([
    [undefined, Buffer.from(text)],
    ['', Buffer.from(text)],
    ['identity', Buffer.from(text)],
    ['gzip', zlib.gzipSync(text)],
    ['GZIP', zlib.gzipSync(text)],
    ['x-gzip', zlib.gzipSync(text)],
    ['gzip', Buffer.concat([zlib.gzipSync(text.slice(0, 999)), zlib.gzipSync(text.slice(999))])],
    ['gzip', Buffer.concat([zlib.gzipSync(text), Buffer.alloc(16)])],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateSync(text, { level: 9, windowBits: 9 })],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['zstd', zlib.zstdCompressSync(text)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
    ['gzip, identity , gzip', zlib.gzipSync(zlib.gzipSync(text))],
    // Servers announce these codings without applying them.
    ['gzip', Buffer.from(text)],
    ['zstd', Buffer.from(text)],
    ['utf-8', Buffer.from(text)],
    ['none', Buffer.from(text)],
  ])('%s', async (coding, wire) => {
    const decoded = await undoContentCoding(wire, coding, cap);
    expect(decoded.kind === 'decoded' ? Buffer.from(decoded.body).toString() : decoded).toBe(text);
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, br'])(
    'for an empty body: %s',
    async (coding) => {
      const body = new Uint8Array();
      expect(await undoContentCoding(body, coding, cap)).toEqual({ kind: 'decoded', body });
    },
  );
});

const encoders = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
} as const;
const codings = Object.keys(encoders) as (keyof typeof encoders)[];

describe.each(codings)('%s', (coding) => {
  test('accepts exactly the limit and refuses one byte more', async () => {
    const atLimit = await undoContentCoding(encoders[coding](Buffer.alloc(cap)), coding, cap);
    expect(atLimit.kind === 'decoded' && atLimit.body.length).toBe(cap);
    expect(await undoContentCoding(encoders[coding](Buffer.alloc(cap + 1)), coding, cap)).toEqual({
      kind: 'failed',
      reason: 'too_large',
      message: `unpacks (${coding}) to more than ${cap} bytes`,
    });
  });

  test('stops a compression bomb at the limit', async () => {
    const bomb = encoders[coding](Buffer.alloc(8 << 20));
    expect(bomb.length).toBeLessThan(cap);
    const decoded = await undoContentCoding(bomb, coding, cap);
    expect(decoded).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('stops a nested bomb at the limit too', async () => {
    const bomb = encoders[coding](encoders[coding](Buffer.alloc(8 << 20)));
    const decoded = await undoContentCoding(bomb, `${coding}, ${coding}`, cap);
    expect(decoded).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('fails for half a body instead of returning a part', async () => {
    const wire = encoders[coding](Buffer.from(text));
    const half = await undoContentCoding(wire.subarray(0, wire.length >> 1), coding, cap);
    expect(half).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  test('fails for a damaged body or stays within the limit', async () => {
    const wire = encoders[coding](Buffer.from(text));
    for (let index = 8; index < wire.length; index += 1) {
      const damaged = Buffer.from(wire);
      damaged[index] = (damaged[index] ?? 0) ^ 0xff;
      const decoded = await undoContentCoding(damaged, coding, cap);
      if (decoded.kind === 'decoded') expect(decoded.body.length).toBeLessThanOrEqual(cap);
      else expect(['protocol', 'too_large']).toContain(decoded.reason);
    }
  });
});

test('refuses a long list of codings', async () => {
  const wire = zlib.gzipSync(text);
  expect(await undoContentCoding(wire, 'gzip, gzip, gzip, gzip', cap)).toEqual({
    kind: 'failed',
    reason: 'protocol',
    message: '4 content codings',
  });
});
