import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeContentCoding } from './content-coding.ts';

const text = '<rss>新闻 '.repeat(400);
const limit = 100_000;

describe('returns the original text of a body that the header announces as', () => {
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
    const decoded = await decodeContentCoding(wire, coding, limit);
    expect(decoded.kind === 'decoded' ? Buffer.from(decoded.body).toString() : decoded).toBe(text);
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, br'])(
    'an empty body stays empty with the coding %s',
    async (coding) => {
      const body = new Uint8Array();
      expect(await decodeContentCoding(body, coding, limit)).toEqual({ kind: 'decoded', body });
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
    const fittingBody = await decodeContentCoding(
      encoders[coding](Buffer.alloc(limit)),
      coding,
      limit,
    );
    expect(fittingBody.kind === 'decoded' && fittingBody.body.length).toBe(limit);
    expect(
      await decodeContentCoding(encoders[coding](Buffer.alloc(limit + 1)), coding, limit),
    ).toEqual({
      kind: 'failed',
      reason: 'too_large',
      message: `unpacks (${coding}) to more than ${limit} bytes`,
    });
  });

  test('stops a compression bomb at the limit', async () => {
    const bomb = encoders[coding](Buffer.alloc(8 << 20));
    expect(bomb.length).toBeLessThan(limit);
    const decoded = await decodeContentCoding(bomb, coding, limit);
    expect(decoded).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('stops a nested compression bomb at the limit', async () => {
    const bomb = encoders[coding](encoders[coding](Buffer.alloc(8 << 20)));
    const decoded = await decodeContentCoding(bomb, `${coding}, ${coding}`, limit);
    expect(decoded).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('fails for a truncated body', async () => {
    const wire = encoders[coding](Buffer.from(text));
    const truncated = await decodeContentCoding(wire.subarray(0, wire.length >> 1), coding, limit);
    expect(truncated).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  test('a damaged body fails or stays within the limit', async () => {
    const wire = encoders[coding](Buffer.from(text));
    for (let index = 8; index < wire.length; index += 1) {
      const damagedWire = Buffer.from(wire);
      damagedWire[index] = (damagedWire[index] ?? 0) ^ 0xff;
      const decoded = await decodeContentCoding(damagedWire, coding, limit);
      if (decoded.kind === 'decoded') expect(decoded.body.length).toBeLessThanOrEqual(limit);
      else expect(['protocol', 'too_large']).toContain(decoded.reason);
    }
  });
});

test('refuses a long list of codings', async () => {
  const wire = zlib.gzipSync(text);
  expect(await decodeContentCoding(wire, 'gzip, gzip, gzip, gzip', limit)).toEqual({
    kind: 'failed',
    reason: 'protocol',
    message: '4 content codings',
  });
});
