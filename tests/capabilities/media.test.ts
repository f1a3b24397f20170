// Generated media in a folder and in an S3-compatible store. By default they are kept for a day.
// They have unguessable names, and are served in ranges and never with an executable content type.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawText } from '../../demo/upstream/draw-image.ts';
import { mediaResponse } from '../../src/gateway/capabilities/media/media-response.ts';
import type { MediaStore } from '../../src/gateway/capabilities/media/media-store.ts';
import { openMediaStore } from '../../src/gateway/capabilities/media/open-media-store.ts';
import { readMedia } from '../../src/gateway/capabilities/media/read-media.ts';
import { sampleVideo } from '../../src/gateway/capabilities/video/sample-video.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { type TestWorld, testWorld } from '../support/test-world.ts';
import { openS3, type S3Server, s3Key } from './s3-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-kept-'));
let s3: S3Server;
beforeAll(async () => {
  s3 = await openS3();
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

const image = drawText(['HARBOUR']);
const video = Buffer.from(sampleVideo(8));
const storeOptions = { dataDir: folder, siteUrl: () => 'http://127.0.0.1:4100' };

const stores: Readonly<Record<string, (test: TestWorld) => MediaStore>> = {
  folder: ({ world }) => openMediaStore(world, { kind: 'folder' }, storeOptions),
  s3: ({ world }) => {
    const config = { ...s3Key, kind: 's3', url: s3.url, bucket: 'radar-media', timeoutMs: 5_000 };
    return openMediaStore(world, { ...config, kind: 's3' }, storeOptions);
  },
};

async function bytesOf(pieces: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces ?? []) chunks.push(piece);
  return Buffer.concat(chunks);
}

describe.each(Object.keys(stores))('a media store of kind %s', (kind) => {
  const openStore = (world = testWorld()) => {
    const store = stores[kind]?.(world);
    if (!store) throw new Error(kind);
    return { store, ...world };
  };

  test('stores an image unchanged under an unguessable name', async () => {
    const { store } = openStore();
    const storedFile = await store.store(image);
    expect(storedFile).toEqual({
      token: expect.stringMatching(/^[0-9a-z]{6,9}-[A-Za-z0-9_-]{27}$/),
      url: `http://127.0.0.1:4100/media/${storedFile?.token}`,
      mimeType: 'image/png',
      byteLength: image.length,
    });
    const foundFile = await store.find(storedFile?.token ?? '');
    expect(foundFile).toMatchObject({ mimeType: 'image/png', byteLength: image.length });
    expect((await bytesOf(foundFile?.read() ?? null)).equals(image)).toBe(true);
  });

  test('returns nothing for another name, a changed name or a path', async () => {
    const { store } = openStore();
    const token = (await store.store(image))?.token ?? '';
    const separator = token.indexOf('-');
    const expiresAt = Number.parseInt(token.slice(0, separator), 36);
    const secret = token.slice(separator + 1);
    const laterToken = `${(expiresAt + 86_400).toString(36)}-${secret}`;
    for (const wrongToken of [laterToken, `${token}x`, '../../etc/passwd', '', secret]) {
      expect(await store.find(wrongToken)).toBeNull();
    }
  });

  test('does not reveal names in its listing', async () => {
    const { store } = openStore();
    const token = (await store.store(image))?.token ?? '';
    const names = kind === 's3' ? [...s3.objects.keys()] : readdirSync(join(folder, 'media'));
    expect(names.join('\n')).not.toContain(token.slice(token.indexOf('-') + 1));
  });

  test('removes a file after one day', async () => {
    const { store, clock } = openStore();
    await store.deleteExpired();
    const oldToken = (await store.store(image))?.token ?? '';
    clock.advance(23 * 3_600_000);
    const freshToken = (await store.store(video))?.token ?? '';
    expect(await store.find(oldToken)).not.toBeNull();
    clock.advance(3_600_001);
    expect(await store.find(oldToken)).toBeNull();
    expect(await store.deleteExpired()).toBeGreaterThan(0);
    expect(await store.deleteExpired()).toBe(0);
    expect(await store.find(freshToken)).toMatchObject({ mimeType: 'video/mp4' });
    clock.advance(DAY_MS);
    expect(await store.deleteExpired()).toBe(1);
  });

  test('returns a whole file, a range or an error', async () => {
    const { store } = openStore();
    const token = (await store.store(image))?.token ?? '';
    const response = await mediaResponse(store, token, undefined);
    expect({ ...response, body: null }).toEqual({
      status: 200,
      body: null,
      headers: {
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=3600, immutable',
        'content-disposition': 'inline; filename="image.png"',
        'content-length': String(image.length),
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'content-type': 'image/png',
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    });
    const partResponse = await mediaResponse(store, token, 'bytes=1-3');
    expect(partResponse).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 1-3/${image.length}`, 'content-length': '3' },
    });
    expect((await bytesOf(partResponse.body)).toString('latin1')).toBe('PNG');
    const tailResponse = await mediaResponse(store, token, 'bytes=-4');
    expect((await bytesOf(tailResponse.body)).equals(image.subarray(-4))).toBe(true);
    expect(await mediaResponse(store, token, 'bytes=999999999-')).toMatchObject({ status: 416 });
    expect(await mediaResponse(store, 'nothing', undefined)).toMatchObject({
      status: 404,
      body: null,
    });
  });

  test.each([
    ['a page', Buffer.from('<!doctype html><script>1</script>')],
    ['an SVG with a script', Buffer.from('<svg><script>alert(1)</script></svg>')],
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a video', Buffer.from(video.subarray(0, 40))],
  ])('refuses %s', async (_what, bytes) => {
    expect(await openStore().store.store(bytes)).toBeNull();
  });
});

test('reads the size and length of a video', () => {
  expect(readMedia(video)).toEqual({
    mimeType: 'video/mp4',
    width: 320,
    height: 180,
    durationSeconds: 8,
  });
});

test('reads every prefix of a video without an exception', () => {
  for (let length = 0; length < video.length; length += 7) {
    expect(() => readMedia(video.subarray(0, length))).not.toThrow();
  }
});

test('refuses bytes that are not a video', () => {
  expect(readMedia(video.map((byte) => byte ^ 0x55))).toBeNull();
});
