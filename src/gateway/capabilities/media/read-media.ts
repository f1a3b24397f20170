// Detects the type of media from its bytes; names and providers' declarations are ignored. PNG,
// JPEG, WebP and MP4 (ISO 14496-12) are accepted, nothing else.
import { readImageHeader } from '../image-header.ts';
import type { MediaType } from './media-store.ts';

export type MediaFacts = {
  readonly mimeType: MediaType;
  /** Pixels; null when a video does not state them. */
  readonly width: number | null;
  readonly height: number | null;
  /** null for images, and for videos that do not state their length. */
  readonly durationSeconds: number | null;
};

const maxPixels = 100_000_000;

/** Null: another format. */
export function readMedia(bytes: Uint8Array): MediaFacts | null {
  const header = readImageHeader(bytes);
  if (header !== null) {
    const { type, width, height } = header;
    if (type === 'image/bmp' || width * height > maxPixels) return null;
    return { mimeType: type, width, height, durationSeconds: null };
  }
  return readVideo(bytes);
}

type Box = { readonly type: string; readonly start: number; readonly end: number };

function readVideo(bytes: Uint8Array): MediaFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const boxes = boxesIn(view, 0, bytes.byteLength);
    if (boxes[0]?.type !== 'ftyp') return null;
    const movie = boxes.find(({ type }) => type === 'moov');
    if (!movie) return null;
    const movieBoxes = boxesIn(view, movie.start, movie.end);
    const header = movieBoxes.find(({ type }) => type === 'mvhd');
    const sizes = movieBoxes
      .filter(({ type }) => type === 'trak')
      .flatMap((track) => boxesIn(view, track.start, track.end))
      .filter(({ type }) => type === 'tkhd')
      .map((track) => sizeOf(view, track));
    const size = sizes.find(({ width }) => width > 0);
    return {
      mimeType: 'video/mp4',
      width: size?.width ?? null,
      height: size?.height ?? null,
      durationSeconds: header ? durationOf(view, header) : null,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Limits the time for a file with many small boxes. */
const BOXES_MAX = 1000;

/** A size of 1 announces a size of 64 bits; a size of 0 means that the box ends at `to`. */
function boxesIn(view: DataView, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let index = from; index + 8 <= to && boxes.length < BOXES_MAX; ) {
    const shortSize = view.getUint32(index);
    const type = String.fromCharCode(
      ...[4, 5, 6, 7].map((offset) => view.getUint8(index + offset)),
    );
    const isLong = shortSize === 1;
    const markedSize = shortSize === 0 ? to - index : shortSize;
    const size = isLong ? Number(view.getBigUint64(index + 8)) : markedSize;
    const head = isLong ? 16 : 8;
    if (size < head || index + size > to) break;
    boxes.push({ type, start: index + head, end: index + size });
    index += size;
  }
  return boxes;
}

/** Seconds; null: not stated. Version 1 of the box has times of 64 bits. */
function durationOf(view: DataView, { start }: Box): number | null {
  const isLong = view.getUint8(start) === 1;
  const scale = view.getUint32(start + (isLong ? 20 : 12));
  const units = isLong ? Number(view.getBigUint64(start + 24)) : view.getUint32(start + 16);
  // All bits set: the duration is unknown.
  if (scale === 0 || units === 0 || units >= 0xffffffff) return null;
  return Math.round((units / scale) * 1000) / 1000;
}

/** Width and height are 16.16 numbers at the end of the box. */
function sizeOf(view: DataView, { end }: Box): { readonly width: number; readonly height: number } {
  return { width: view.getUint32(end - 8) >>> 16, height: view.getUint32(end - 4) >>> 16 };
}
