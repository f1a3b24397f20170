// Draws images with text: grey pixels from strokes, encoded as a PNG with one IHDR, one IDAT and
// one IEND (W3C PNG, version 3).
import { crc32, deflateSync } from 'node:zlib';
import { assert } from '../../src/kernel/errors/assert.ts';
import { glyphs, type Point } from './stroke-letters.ts';

export type ImageSize = { readonly width: number; readonly height: number };

/** Draws lines of text, black on white, `letterPx` high. Throws for unsupported characters. */
export function drawText(
  lines: readonly string[],
  letterPx = 48,
  size: ImageSize = { width: 900, height: 140 * lines.length + 60 },
): Buffer {
  const pixels = new Uint8Array(size.width * size.height).fill(255);
  const unit = letterPx / 10;
  for (const [index, line] of lines.entries()) {
    let x = 50;
    const y = 60 + index * 140;
    for (const letter of line) {
      const glyph = glyphs[letter];
      assert(glyph, `no strokes for “${letter}”`);
      for (const stroke of glyph.strokes) {
        drawStroke(
          pixels,
          size,
          stroke.map(([strokeX, strokeY]): Point => [x + strokeX * unit, y + strokeY * unit]),
          unit,
        );
      }
      x += (glyph.width + 3.2) * unit;
    }
  }
  return encodePng(pixels, size);
}

function drawStroke(
  pixels: Uint8Array,
  size: ImageSize,
  points: readonly Point[],
  unit: number,
): void {
  const halfWidth = unit * 0.55;
  for (let index = 1; index < points.length; index += 1) {
    const [start, end] = [points[index - 1], points[index]];
    if (start === undefined || end === undefined) continue;
    const left = Math.max(0, Math.floor(Math.min(start[0], end[0]) - halfWidth - 1));
    const right = Math.min(size.width - 1, Math.ceil(Math.max(start[0], end[0]) + halfWidth + 1));
    const top = Math.max(0, Math.floor(Math.min(start[1], end[1]) - halfWidth - 1));
    const bottom = Math.min(size.height - 1, Math.ceil(Math.max(start[1], end[1]) + halfWidth + 1));
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const coverage = Math.max(0, Math.min(1, halfWidth + 0.5 - distance([x, y], start, end)));
        const position = y * size.width + x;
        pixels[position] = Math.min(pixels[position] ?? 255, Math.round(255 * (1 - coverage)));
      }
    }
  }
}

function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squaredLength = dx * dx + dy * dy;
  const projection =
    squaredLength === 0
      ? 0
      : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squaredLength));
  return Math.hypot(x - ax - projection * dx, y - ay - projection * dy);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Each pixel has eight bits of grey. */
export function encodePng(pixels: Uint8Array, { width, height }: ImageSize): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const parts = [
    encodeChunk('IHDR', header),
    encodeChunk('IDAT', deflateSync(rows)),
    encodeChunk('IEND'),
  ];
  return Buffer.concat([signature, ...parts]);
}

function encodeChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
