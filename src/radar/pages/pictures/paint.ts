// Converts SVG to PNG with the project's own fonts, so that an image is the same on every machine.
// One image is painted at a time, off the event loop. Results are cached by content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderAsync } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import { Fault } from '../../../kernel/errors/fault.ts';
import { measureBy } from './break-lines.ts';
import { CARD_FONT } from './draw-card.ts';

const fontPath = (name: string) => fileURLToPath(new URL(`../fonts/${name}`, import.meta.url));
const fontFiles = ['noto-serif-sc-bold.otf', 'noto-serif-sc-regular.otf'].map(fontPath);

const CACHE_BYTES = 24 * 1024 * 1024;
/** Further requests fail with Retry-After, so that no request waits long for an image. */
const WAITING_MAX = 24;

export const measureTitle = measureBy(
  JSON.parse(readFileSync(fontPath('latin-widths.json'), 'utf8')),
);

/** A PNG in the size of the SVG. */
export type Painter = (svg: string) => Promise<Buffer>;

export function openPainter(): Painter {
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png) => png.length,
  });
  const waitingPaints = new Map<string, Promise<Buffer>>();
  let lastPaint: Promise<unknown> = Promise.resolve();
  const paint = (svg: string) => {
    const painted = lastPaint.then(() => paintNow(svg));
    lastPaint = painted.catch(() => {});
    return painted;
  };
  return async (svg) => {
    const key = createHash('sha256').update(svg).digest('base64url');
    const cachedImage = cache.get(key);
    if (cachedImage !== undefined) return cachedImage;
    const pendingPaint = waitingPaints.get(key);
    if (pendingPaint !== undefined) return pendingPaint;
    if (waitingPaints.size >= WAITING_MAX) {
      throw new Fault('temporarily_unavailable', 'Too many image requests. Try again in 5 s.', {
        retryAfterSeconds: 5,
      });
    }
    const painted = paint(svg);
    waitingPaints.set(key, painted);
    try {
      const png = await painted;
      cache.set(key, png);
      return png;
    } finally {
      waitingPaints.delete(key);
    }
  };
}

async function paintNow(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: CARD_FONT },
    logLevel: 'off',
  });
  return image.asPng();
}
