// Image sizes from headers that follow the specifications of the formats.
import { expect, test } from 'vitest';
import { readImageHeader } from './image-header.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  );
const pad = Array.from({ length: 16 }, () => 0);

const png = bytes(
  [0x89],
  'PNG\r\n',
  [0x1a, 0x0a, 0, 0, 0, 13],
  'IHDR',
  [0, 0, 2, 128],
  [0, 0, 1, 224],
);
const exif = [0xff, 0xe1, 0, 6, 1, 2, 3, 4];
const jpeg = bytes([0xff, 0xd8], exif, [0xff, 0xc2, 0, 17, 8, 1, 224, 2, 128, 3], pad);
const vp8 = bytes(
  'RIFF',
  [0, 0, 0, 0],
  'WEBPVP8 ',
  [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a],
  [128, 2, 224, 1],
);
const vp8l = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0x00]);
const vp8x = bytes(
  'RIFF',
  [0, 0, 0, 0],
  'WEBPVP8X',
  [10, 0, 0, 0, 0, 0, 0, 0],
  [127, 2, 0, 223, 1, 0],
);
const bmp = bytes('BM', pad.slice(0, 12), [40, 0, 0, 0, 128, 2, 0, 0, 32, 254, 255, 255], pad);

test.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', vp8],
  ['image/webp', vp8l],
  ['image/webp', vp8x],
  ['image/bmp', bmp],
] as const)('reads the size of %s from its header', (type, header) => {
  expect(readImageHeader(header)).toEqual({ type, width: 640, height: 480 });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<!doctype html>')],
  ['an SVG', Buffer.from('<svg width="1" height="1"/>')],
  ['an image without width', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', pad)],
  ['a JPEG without a size', bytes([0xff, 0xd8], exif, [0xff, 0xda, 0, 2])],
])('%s is not an image', (_what, header) => {
  expect(readImageHeader(header)).toBeNull();
});

test('every prefix of a header is parsed without an error', () => {
  for (const image of [png, jpeg, vp8, vp8l, vp8x, bmp]) {
    for (let length = 0; length < image.length; length += 1) {
      readImageHeader(image.subarray(0, length));
    }
  }
});
