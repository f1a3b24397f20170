// OCR of images that the test draws, with both engines.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawText, encodePng } from '../../demo/upstream/draw-image.ts';
import { openServer, type UpstreamServer } from '../../demo/upstream/server.ts';
import { openEmbeddedEngine } from '../../src/gateway/capabilities/ocr/embedded-engine.ts';
import { openOcr } from '../../src/gateway/capabilities/ocr/ocr.ts';
import type { ImageText } from '../../src/gateway/capabilities/ocr/read-image.ts';
import { requireTool } from '../support/tools.ts';
import { dataOf, openTestProviders, type TestProviders, testCall } from './test-providers.ts';

const tesseract = requireTool('tesseract');

let providers: TestProviders;
let site: UpstreamServer;

const images: Readonly<Record<string, () => Buffer | string>> = {
  '/english.png': () => drawText(['HARBOUR MEDIA', 'WELCOMES VISITORS']),
  '/chinese.png': () => drawText(['中国上山', '日本王田木工'], 80),
  '/english.bmp': () => toBmp(drawText(['HARBOUR MEDIA', 'WELCOMES VISITORS'])),
  '/blank.png': () => drawText([' ']),
  '/page.html': () => '<!doctype html><title>no image</title>',
  '/broken.png': () => drawText(['HARBOUR']).subarray(0, 400),
  // A small file that decodes to 41 megapixels.
  '/huge.png': () => encodePng(new Uint8Array(64 * 64), { width: 64, height: 64 }),
  '/heavy.png': () => Buffer.alloc(10 * 2 ** 20 + 1, 0x89),
};

beforeAll(async () => {
  providers = await openTestProviders();
  site = await openServer(({ path }) => {
    const imageBytes = images[path]?.();
    if (imageBytes === undefined) return { status: 404, headers: {}, body: '' };
    const body = path === '/huge.png' ? widenImage(Buffer.from(imageBytes)) : imageBytes;
    return { status: 200, headers: { 'content-type': 'image/png' }, body };
  });
});
afterAll(async () => {
  await site.close();
  await providers.close();
});

/** The same image as a BMP file with 32 bits a pixel, the top row first. */
function toBmp(image: Buffer): Buffer {
  const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
  // IDAT follows the signature and IHDR. Each row begins with a byte for "no filter".
  const rows = inflateSync(image.subarray(41, 41 + image.readUInt32BE(33)));
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + width * height * 4, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(-height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(32, 28);
  const body = Buffer.alloc(width * height * 4, 255);
  for (let index = 0; index < width * height; index += 1) {
    const grey = rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] ?? 255;
    body.fill(grey, index * 4, index * 4 + 3);
  }
  return Buffer.concat([head, body]);
}

/** A header that declares 8,200 × 5,000 pixels. */
function widenImage(image: Buffer): Buffer {
  image.writeUInt32BE(8_200, 16);
  image.writeUInt32BE(5_000, 20);
  return image;
}

const open = (changes: object = {}) =>
  openOcr(
    providers.world,
    providers.config({ ocr: { privateHosts: [site.host], ...changes } }).ocr,
  );
const engines = [
  { engine: 'the package', changes: {}, isAbsent: false },
  {
    engine: 'an installed tesseract',
    changes: { command: 'tesseract' },
    isAbsent: tesseract.kind === 'missing',
  },
];

async function readImages(paths: readonly string[], ocr = open()): Promise<ImageText[]> {
  const image_urls = paths.map((path) => (path.startsWith('/') ? site.url + path : path));
  const outcome = await ocr.run(testCall(providers.world).context, ocr.input.parse({ image_urls }));
  expect(outcome).toMatchObject({ kind: 'done', quantity: 1 });
  return dataOf(outcome).images as ImageText[];
}

describe.each(engines)('an image read by $engine', ({ changes, isAbsent }) => {
  const readAll = (paths: readonly string[]) => readImages(paths, open(changes));

  test.skipIf(isAbsent)('returns English lines with positions and confidence', async () => {
    expect(await readAll(['/english.png'])).toEqual([
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

  test.skipIf(isAbsent)('returns Chinese lines without spaces', async () => {
    const [image] = await readAll(['/chinese.png']);
    expect(image?.text).toContain('日本王');
    expect(image?.text).toMatch(/^中国上山/);
    expect(image?.text).not.toContain(' ');
  });

  test.skipIf(isAbsent)('returns empty text for a blank image', async () => {
    expect(await readAll(['/blank.png'])).toEqual([
      { url: `${site.url}/blank.png`, text: '', blocks: [], error: null },
    ]);
  });

  test.skipIf(isAbsent)('reports an invalid image in its place, beside valid ones', async () => {
    const threeResults = await readAll(['/english.png', '/nowhere.png', '/chinese.png']);
    expect(threeResults.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'image_unavailable',
      null,
    ]);
    expect(threeResults[1]).toEqual({
      url: `${site.url}/nowhere.png`,
      text: '',
      blocks: null,
      error: { code: 'image_unavailable', message: 'The server answered 404.' },
    });
  });

  test.skipIf(isAbsent)('reports the error of every kind of invalid image', async () => {
    const invalidImages = await readAll([
      ...['/page.html', '/broken.png', '/huge.png', '/heavy.png', '/nowhere.png'],
      ...['http://127.0.0.1:9/a.png', 'http://169.254.169.254/latest', 'http://[::1]/a.png'],
    ]);
    expect(invalidImages.map(({ error }) => error?.code)).toEqual([
      ...['unsupported_image', 'unreadable_image', 'image_too_large', 'image_too_large'],
      ...['image_unavailable', 'image_refused', 'image_refused', 'image_refused'],
    ]);
  });

  test.skipIf(isAbsent)('reads a BMP of 32 bits per pixel', async () => {
    const [image] = await readAll(['/english.bmp']);
    expect(image?.text).toMatch(/^HARBOUR MEDIA\n+WELCOMES VISITORS$/);
  });
});

describe('the packaged engine', () => {
  test('stops an image that takes too long, and reads the next one', async () => {
    const [timedOut] = await readImages(['/english.png'], open({ readTimeoutMs: 100 }));
    expect(timedOut?.error?.code).toBe('timed_out');
    const [nextResult] = await readImages(['/english.png']);
    expect(nextResult?.text).toContain('HARBOUR');
  });

  test('refuses an image that needs more memory than permitted', async () => {
    const engine = openEmbeddedEngine(providers.world, {
      readTimeoutMs: 60_000,
      maxMemoryBytes: 24 * 2 ** 20,
    });
    const largeImage = drawText(['HARBOUR'], 48, { width: 5_000, height: 4_000 });
    const { signal } = new AbortController();
    expect(await engine.recognize(largeImage, 'eng', signal)).toBe('unreadable');
    const smallResult = await engine.recognize(drawText(['HARBOUR']), 'eng', signal);
    expect(smallResult).toMatchObject({ text: expect.stringContaining('HARBOUR') });
  });

  test('stops when its call is aborted', async () => {
    const engine = openEmbeddedEngine(providers.world, { readTimeoutMs: 60_000 });
    const abortController = new AbortController();
    const pendingResult = engine.recognize(drawText(['HARBOUR']), 'eng', abortController.signal);
    abortController.abort();
    expect(await pendingResult).toBe('unreadable');
  });

  test('does not block the event loop', async () => {
    const engine = openEmbeddedEngine(providers.world, { readTimeoutMs: 60_000 });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const page = await engine.recognize(drawText(['HARBOUR']), 'eng', new AbortController().signal);
    delay.disable();
    expect(page).toMatchObject({ text: expect.stringContaining('HARBOUR') });
    // With OCR on the main thread, the event loop would make only a few turns.
    expect(delay.count).toBeGreaterThan(50);
  });

  test('needs no installed program and starts none', async () => {
    const startedPrograms: unknown[] = [];
    const recordStart = (message: unknown) => startedPrograms.push(message);
    subscribe('child_process', recordStart);
    try {
      expect(await open().missing()).toBeNull();
      const [image] = await readImages(['/english.png']);
      expect(image?.text).toContain('HARBOUR');
    } finally {
      unsubscribe('child_process', recordStart);
    }
    expect(startedPrograms).toEqual([]);
  });
});

describe('a configured program', () => {
  test('is stopped when it takes too long', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slow-tesseract-'));
    const slowOcr = join(folder, 'tesseract');
    writeFileSync(slowOcr, '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
    try {
      const [image] = await readImages(
        ['/english.png'],
        open({ readTimeoutMs: 100, command: slowOcr }),
      );
      expect(image?.error?.code).toBe('timed_out');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('names a missing program and how to install it', async () => {
  const ocrWithoutProgram = open({ command: 'no-such-tesseract' });
  expect(await ocrWithoutProgram.missing()).toBe(
    'OCR needs tesseract (no-such-tesseract), which does not run here: ' +
      'apt-get install tesseract-ocr tesseract-ocr-chi-sim, or leave providers.ocr.command out.',
  );
});

test.each([
  [{ image_urls: [] }],
  [{ image_urls: Array.from({ length: 11 }, () => 'https://example.com/a.png') }],
  [{ image_urls: ['ftp://example.com/a.png'] }],
  [{ image_urls: ['no address'] }],
  [{}],
  [{ image_urls: ['https://example.com/a.png'], language: 'eng' }],
])('refuses %o', (input) => {
  expect(open().input.safeParse(input).success).toBe(false);
});

test('the sandbox needs no program and returns the requested outcome', async () => {
  const ocr = open({ command: 'no-such-tesseract' });
  const sandbox = (image_urls: string[]) =>
    ocr.sandbox(testCall(providers.world, { livemode: false }).context, { image_urls });
  expect(await sandbox(['https://example.com/a.png'])).toMatchObject({
    data: { images: [{ text: 'Sandbox text', error: null }] },
  });
  expect(await sandbox(['http://127.0.0.1/a.png', 'https://example.com/a.png'])).toMatchObject({
    data: { images: [{ error: { code: 'image_refused' } }, { text: 'Sandbox text' }] },
  });
  expect(await sandbox(['https://example.com/sandbox:upstream_error'])).toMatchObject({
    code: 'upstream_error',
  });
});
