// Text in pictures, read by the real program from pictures that the test draws.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawText, png } from '../../demo/upstream/draw-image.ts';
import { openServer, type UpstreamServer } from '../../demo/upstream/server.ts';
import { openOcr } from '../../src/gateway/capabilities/ocr/ocr.ts';
import type { PictureText } from '../../src/gateway/capabilities/ocr/read-image.ts';
import { requireTool } from '../support/tools.ts';
import { dataOf, openRig, type Rig, testCall } from './rig.ts';

const tesseract = requireTool('tesseract');

let rig: Rig;
let site: UpstreamServer;

const pictures: Readonly<Record<string, () => Buffer | string>> = {
  '/english.png': () => drawText(['HARBOUR MEDIA', 'WELCOMES VISITORS']),
  '/chinese.png': () => drawText(['中国上山', '日本王田木工'], 80),
  '/blank.png': () => drawText([' ']),
  '/page.html': () => '<!doctype html><title>no picture</title>',
  '/broken.png': () => drawText(['HARBOUR']).subarray(0, 400),
  // Small on the wire, 41 megapixels when decoded.
  '/huge.png': () => png(new Uint8Array(64 * 64), { width: 64, height: 64 }).fill(0, 0, 0),
  '/heavy.png': () => Buffer.alloc(10 * 2 ** 20 + 1, 0x89),
};

beforeAll(async () => {
  rig = await openRig();
  site = await openServer(({ path }) => {
    const found = pictures[path]?.();
    if (found === undefined) return { status: 404, headers: {}, body: '' };
    const body = path === '/huge.png' ? widened(Buffer.from(found)) : found;
    return { status: 200, headers: { 'content-type': 'image/png' }, body };
  });
});
afterAll(async () => {
  await site.close();
  await rig.close();
});

/** A header that promises 8,200 × 5,000 pixels. */
function widened(picture: Buffer): Buffer {
  picture.writeUInt32BE(8_200, 16);
  picture.writeUInt32BE(5_000, 20);
  return picture;
}

const open = (changes: object = {}) =>
  openOcr(rig.world, rig.config({ ocr: { privateHosts: [site.host], ...changes } }).ocr);

async function read(paths: readonly string[], ocr = open()): Promise<PictureText[]> {
  const image_urls = paths.map((path) => (path.startsWith('/') ? site.url + path : path));
  const outcome = await ocr.run(testCall(rig.world).context, ocr.input.parse({ image_urls }));
  expect(outcome).toMatchObject({ kind: 'done', quantity: 1 });
  return dataOf(outcome).images as PictureText[];
}

describe.skipIf(tesseract.kind === 'missing')('a picture', () => {
  test('of English lines is read with where and how surely', async () => {
    expect(await read(['/english.png'])).toEqual([
      {
        url: `${site.url}/english.png`,
        text: expect.stringMatching(/^HARBOUR MEDIA\n+WELCOMES VISITORS$/),
        blocks: [
          {
            text: 'HARBOUR MEDIA',
            confidence: expect.closeTo(0.95, 1),
            box: [
              expect.closeTo(48, -1),
              expect.closeTo(58, -1),
              expect.any(Number),
              expect.any(Number),
            ],
          },
          {
            text: 'WELCOMES VISITORS',
            confidence: expect.closeTo(0.95, 1),
            box: expect.any(Array),
          },
        ],
        error: null,
      },
    ]);
  });

  test('of Chinese lines is read by the other language, without spaces between', async () => {
    const [picture] = await read(['/chinese.png']);
    expect(picture?.text).toContain('日本王');
    expect(picture?.text).toMatch(/^中国上山/);
    expect(picture?.text).not.toContain(' ');
  });

  test('with nothing on it has no text, and that is no error', async () => {
    expect(await read(['/blank.png'])).toEqual([
      { url: `${site.url}/blank.png`, text: '', blocks: [], error: null },
    ]);
  });

  test('that is bad fails alone, in its place', async () => {
    const read3 = await read(['/english.png', '/nowhere.png', '/chinese.png']);
    expect(read3.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'image_unavailable',
      null,
    ]);
    expect(read3[1]).toEqual({
      ...{ url: `${site.url}/nowhere.png`, text: '', blocks: null },
      error: { code: 'image_unavailable', message: 'The server answered 404.' },
    });
  });

  test('can be bad in every way, and the call is still answered', async () => {
    const bad = await read([
      ...['/page.html', '/broken.png', '/huge.png', '/heavy.png', '/nowhere.png'],
      ...['http://127.0.0.1:9/a.png', 'http://169.254.169.254/latest', 'http://[::1]/a.png'],
    ]);
    expect(bad.map(({ error }) => error?.code)).toEqual([
      ...['unsupported_image', 'unreadable_image', 'image_too_large', 'image_too_large'],
      ...['image_unavailable', 'image_refused', 'image_refused', 'image_refused'],
    ]);
  });

  test('that takes too long is given up', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slow-tesseract-'));
    const slow = join(folder, 'tesseract');
    writeFileSync(slow, '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
    try {
      const [picture] = await read(['/english.png'], open({ readTimeoutMs: 100, command: slow }));
      expect(picture?.error?.code).toBe('timed_out');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('without tesseract the answer says what to install', async () => {
  const without = open({ command: 'no-such-tesseract' });
  expect(await without.missing()).toBe(
    'OCR needs tesseract (no-such-tesseract), which does not run here: ' +
      'apt-get install tesseract-ocr tesseract-ocr-chi-sim.',
  );
});

test.each([
  [{ image_urls: [] }],
  [{ image_urls: Array.from({ length: 11 }, () => 'https://example.com/a.png') }],
  [{ image_urls: ['ftp://example.com/a.png'] }],
  [{ image_urls: ['no address'] }],
  [{}],
  [{ image_urls: ['https://example.com/a.png'], language: 'eng' }],
])('%o is refused', (input) => {
  expect(open().input.safeParse(input).success).toBe(false);
});

test('the sandbox reads without any program, and ends as it is asked to', async () => {
  const ocr = open({ command: 'no-such-tesseract' });
  const sandbox = (image_urls: string[]) =>
    ocr.sandbox(testCall(rig.world, { livemode: false }).context, { image_urls });
  expect(await sandbox(['https://example.com/a.png'])).toMatchObject({
    data: { images: [{ text: 'Sandbox text', error: null }] },
  });
  expect(await sandbox(['https://example.com/sandbox:upstream_error'])).toMatchObject({
    code: 'upstream_error',
  });
});
