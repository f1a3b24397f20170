// Measures the media in a request: images, pages of documents, seconds of sound. The tokens of
// media cannot be derived from their bytes, so a hold uses the route's tokens for each image, page
// and second. Relay contract, 2.3.
import { constants, inflateSync } from 'node:zlib';
import { isRecord } from '../is-record.ts';

export type MediaCount = {
  readonly images: number;
  readonly pages: number;
  readonly audioSeconds: number;
};

export const hasMedia = ({ images, pages, audioSeconds }: MediaCount): boolean =>
  images + pages + audioSeconds > 0;

export type MeasuredMedia = MediaCount & {
  /** Number of characters that encode media and do not count as text. */
  readonly encodedLength: number;
};

type Part = Readonly<Record<string, unknown>>;

const imageTypes: readonly unknown[] = ['image', 'image_url', 'input_image', 'computer_screenshot'];
const documentTypes: readonly unknown[] = ['document', 'file', 'input_file'];
/**
 * Pages of a document that cannot be read or has only an address: the maximum that providers
 * accept.
 */
const MAX_PAGES = 100;

/**
 * Limit of the work for the documents of one request. A document above this limit counts as
 * unreadable.
 */
export type MediaBudget = { objectStreams: number; objectBytes: number };

export const newMediaBudget = (): MediaBudget => ({
  objectStreams: 2_000,
  // Inflating 32 MiB and counting their pages took 0.15 s.
  objectBytes: 8 * 1024 * 1024,
});

/** Measures the media of one part of a message; null: the part has none. */
export function measureMedia(part: Part, budget: MediaBudget): MeasuredMedia | null {
  const noMedia = { images: 0, pages: 0, audioSeconds: 0, encodedLength: 0 };
  if (imageTypes.includes(part.type)) {
    return { ...noMedia, images: 1, encodedLength: payloadOf(dataOf(part)).length };
  }
  if (part.type === 'input_audio') {
    const data = payloadOf(dataOf(part));
    return { ...noMedia, audioSeconds: measureSeconds(decode(data)), encodedLength: data.length };
  }
  if (!documentTypes.includes(part.type)) return null;
  const { source } = part;
  // Text and blocks inside of the request are counted by their bytes.
  if (isRecord(source) && (source.type === 'text' || source.type === 'content')) return null;
  const data = payloadOf(dataOf(part));
  if (data === '') return { ...noMedia, pages: MAX_PAGES };
  const bytes = decode(data);
  if (isPdf(bytes))
    return { ...noMedia, pages: countPdfPages(bytes, budget), encodedLength: data.length };
  // The tokens of a text file follow from its bytes.
  return { ...noMedia, pages: 1, encodedLength: data.length - bytes.length };
}

/** Returns the data of a part in any dialect: base64, or an address that contains the data. */
function dataOf({ source, image_url: image, input_audio: audio, file, file_data }: Part): unknown {
  if (isRecord(source)) return source.type === 'base64' ? source.data : null;
  if (isRecord(audio)) return audio.data;
  if (isRecord(file)) return file.file_data;
  return (isRecord(image) ? image.url : image) ?? file_data;
}

const DATA_PREFIX = /^data:[^,]{0,200},/;
/**
 * The search for a wrong character needs no stack. A pattern for the whole payload overflows the
 * stack above 4 MiB, unless V8 optimizes the pattern. V8 does not in a process with much code.
 */
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;

/** Empty: the part contains no encoded data, so its characters count as text. */
function payloadOf(data: unknown): string {
  if (typeof data !== 'string') return '';
  const payload = data.slice(DATA_PREFIX.exec(data)?.[0].length ?? 0);
  return NOT_BASE64.test(payload) ? '' : payload;
}

const decode = (data: string): Buffer => Buffer.from(data, 'base64');

const isPdf = (bytes: Buffer) => bytes.subarray(0, 1024).includes('%PDF-');

const PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;
const countPages = (text: string) => text.match(PAGE)?.length ?? 0;

/**
 * Counts the pages of a PDF. From version 1.5 on, pages may be in compressed streams of objects.
 */
function countPdfPages(bytes: Buffer, budget: MediaBudget): number {
  let pages = countPages(bytes.toString('latin1'));
  for (
    let position = bytes.indexOf('/ObjStm');
    position >= 0;
    position = bytes.indexOf('/ObjStm', position)
  ) {
    const start = bytes.indexOf('stream', position) + 'stream'.length;
    const end = bytes.indexOf('endstream', start);
    if (end < 0) return Math.max(pages, MAX_PAGES);
    // A line feed, or a carriage return (13) and a line feed, precedes the data.
    const objects = inflate(bytes.subarray(start + (bytes[start] === 13 ? 2 : 1), end), budget);
    if (objects === null) return Math.max(pages, MAX_PAGES);
    pages += countPages(objects.toString('latin1'));
    position = end;
  }
  return pages === 0 ? MAX_PAGES : pages;
}

/** Null: the data is not in zlib format, or exceeds the budget. */
function inflate(data: Buffer, budget: MediaBudget): Buffer | null {
  if (budget.objectStreams === 0 || budget.objectBytes === 0) return null;
  budget.objectStreams -= 1;
  try {
    const finishFlush = constants.Z_SYNC_FLUSH;
    const objects = inflateSync(data, { finishFlush, maxOutputLength: budget.objectBytes });
    budget.objectBytes -= objects.length;
    return objects;
  } catch {
    return null;
  }
}

/** The assumed rate of an unknown format: 8 kbit/s, the lowest rate of MP3. */
const LOWEST_BYTES_PER_SECOND = 1_000;

/** Returns the started seconds of a WAV or MP3 file. */
const measureSeconds = (bytes: Buffer): number =>
  Math.max(1, Math.ceil(measureWav(bytes) ?? measureMp3(bytes)));

/** Format tags of WAV: PCM, floating point, A-law and µ-law. Their samples have a constant size. */
const uncompressedFormats: readonly number[] = [1, 3, 6, 7];
/** The tag of a header whose extension contains the actual format. */
const EXTENSIBLE = 0xfffe;

/**
 * Null: another format. The byte rate in the header is not used. Decoders ignore this rate, so a
 * caller could state any number.
 */
function measureWav(bytes: Buffer): number | null {
  const format = findFormatChunk(bytes);
  if (format === null || format + 26 > bytes.length) return null;
  const tag = bytes.readUInt16LE(format);
  const sampleFormat = tag === EXTENSIBLE ? bytes.readUInt16LE(format + 24) : tag;
  const channels = bytes.readUInt16LE(format + 2);
  const sampleRate = bytes.readUInt32LE(format + 4);
  const bytesPerSecond = (channels * sampleRate * bytes.readUInt16LE(format + 14)) / 8;
  if (bytesPerSecond === 0 || !uncompressedFormats.includes(sampleFormat)) return null;
  return bytes.length / bytesPerSecond;
}

const RIFF = 0x52494646;
const FORMAT_CHUNK = 0x666d7420;

/**
 * Returns the position of the first format chunk's data; null: the bytes are no RIFF file with a
 * format chunk.
 */
function findFormatChunk(bytes: Buffer): number | null {
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== RIFF) return null;
  let position = 12;
  while (position + 8 <= bytes.length) {
    if (bytes.readUInt32BE(position) === FORMAT_CHUNK) return position + 8;
    const size = bytes.readUInt32LE(position + 4);
    position += 8 + size + (size % 2);
  }
  return null;
}

/** Kilobits per second of MPEG 1 and of MPEG 2 and 2.5, layer III. Source: ISO/IEC 11172-3. */
const mpeg1Rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2Rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/**
 * The durations of all frames are added, because their rates may differ. Bytes between frames count
 * at the lowest rate, because any format contains some bytes that look like a frame.
 */
function measureMp3(bytes: Buffer): number {
  let seconds = 0;
  let bytesBetween = 0;
  let position = 0;
  while (position < bytes.length) {
    const isHead = position + 4 <= bytes.length;
    const frame = isHead ? readFrame(bytes.readUInt32BE(position)) : null;
    seconds += frame?.seconds ?? 0;
    if (frame !== null) {
      position += frame.length;
      continue;
    }
    const nextSync = bytes.indexOf(SYNC_BYTE, position + 1);
    const next = nextSync < 0 ? bytes.length : nextSync;
    bytesBetween += next - position;
    position = next;
  }
  return seconds + bytesBetween / LOWEST_BYTES_PER_SECOND;
}

/** The first byte of each frame. */
const SYNC_BYTE = 0xff;
const FRAME_SYNC = 0x7ff;
const LAYER_III = 1;
const MPEG_1 = 3;
/** MPEG 2 halves the sample rates of MPEG 1, MPEG 2.5 quarters them, and version 1 is reserved. */
const sampleRateDivisors: Readonly<Record<number, number>> = { [MPEG_1]: 1, 2: 2, 0: 4 };
const BYTES_PER_KILOBIT = 125;

/**
 * Reads the four bytes of a frame header: from the highest bit, 11 bits of synchronization, 2 of
 * the version, and 2 of the layer. Null: these bytes do not begin a frame of layer III.
 */
function readFrame(head: number): { readonly seconds: number; readonly length: number } | null {
  const version = (head >>> 19) & 3;
  const divisor = sampleRateDivisors[version];
  const isLayer3Frame = head >>> 21 === FRAME_SYNC && ((head >>> 17) & 3) === LAYER_III;
  if (!isLayer3Frame || divisor === undefined) return null;
  const isMpeg1 = version === MPEG_1;
  const kilobits = (isMpeg1 ? mpeg1Rates : mpeg2Rates)[(head >>> 12) & 15] ?? 0;
  const sampleRate = (sampleRates[(head >>> 10) & 3] ?? 0) / divisor;
  if (kilobits === 0 || sampleRate === 0) return null;
  const samples = isMpeg1 ? 1_152 : 576;
  const padding = (head >>> 9) & 1;
  const length = Math.floor((samples * kilobits * BYTES_PER_KILOBIT) / sampleRate) + padding;
  return { seconds: samples / sampleRate, length };
}
