import { spawnSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { measureMedia, newMediaBudget } from './measure-media.ts';

const measure = (part: object) => measureMedia({ ...part }, newMediaBudget());

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64');
const pdfUrl = (bytes: string | Buffer) => `data:application/pdf;base64,${base64(bytes)}`;
const page = '<< /Type /Page /Parent 1 0 R >>\n';
const plainPdf = `%PDF-1.4\n<< /Type /Pages /Count 3 >>\n${page.repeat(3)}%%EOF`;
const compressedObjects = deflateSync(page.repeat(7));
const packedPdf = Buffer.concat([
  Buffer.from(`%PDF-1.7\n${page}<< /Type /ObjStm /Filter /FlateDecode >>\nstream\r\n`),
  compressedObjects,
  Buffer.from('\nendstream\n%%EOF'),
]);
const brokenPdf = '%PDF-1.7\n<< /Type /ObjStm /Filter /Crypt >>\nstream\nxxxx\nendstream';

test.each([
  ['Chat', { type: 'file', file: { file_data: pdfUrl(plainPdf) } }, 3],
  ['Responses', { type: 'input_file', file_data: pdfUrl(packedPdf) }, 8],
  [
    'Messages',
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: base64(plainPdf) },
    },
    3,
  ],
  ['Messages, at an address', { type: 'document', source: { type: 'url', url: 'http://a' } }, 100],
  ['Responses, at an address', { type: 'input_file', file_url: 'http://a/b.pdf' }, 100],
  ['a PDF that cannot be read', { type: 'input_file', file_data: pdfUrl(brokenPdf) }, 100],
])('counts the pages of a document: %s', (_name, part, pages) => {
  expect(measure(part)).toMatchObject({ images: 0, pages, audioSeconds: 0 });
});

test('all documents of a request share one budget', () => {
  const budget = { ...newMediaBudget(), objectStreams: 1 };
  const part = { type: 'input_file', file_data: pdfUrl(packedPdf) };
  expect(measureMedia(part, budget)).toMatchObject({ pages: 8 });
  expect(measureMedia(part, budget)).toMatchObject({ pages: 100 });
});

test('reads 5 MiB of encoded data in a process with unoptimized patterns', () => {
  // V8 stops optimizing patterns in a process with much compiled code.
  const script = `
    import { measureMedia, newMediaBudget } from './measure-media.ts';
    const part = { type: 'input_image', image_url: 'A'.repeat(5 * 1024 * 1024) };
    console.log(measureMedia(part, newMediaBudget()).encodedLength);`;
  const flags = ['--no-regexp-optimization', '--input-type=module', '--eval', script];
  const { stdout } = spawnSync(process.execPath, flags, { cwd: import.meta.dirname });
  expect(stdout.toString()).toBe(`${5 * 1024 * 1024}\n`);
});

test('a text document counts by its bytes', () => {
  const source = { type: 'text', media_type: 'text/plain', data: 'Hello' };
  expect(measure({ type: 'document', source })).toBeNull();
  const data = base64('words '.repeat(1_000));
  // Four characters of base64 are three bytes of text.
  const media = measure({ type: 'input_file', file_data: `data:text/csv;base64,${data}` });
  expect(media).toMatchObject({ encodedLength: data.length / 4 });
});

test.each([
  ['Chat', { type: 'image_url', image_url: { url: `data:image/png;base64,${base64('12')}` } }],
  ['Responses', { type: 'input_image', image_url: `data:image/png;base64,${base64('12')}` }],
  ['Messages', { type: 'image', source: { type: 'base64', data: base64('12') } }],
])('an image counts as one image, and its data does not count as text: %s', (_name, part) => {
  expect(measure(part)).toEqual({
    images: 1,
    pages: 0,
    audioSeconds: 0,
    encodedLength: base64('12').length,
  });
});

/** A WAV file of PCM with 16 bits and one channel. `chunk`: a chunk before the format. */
function wav(seconds: number, { byteRate = 16_000, chunk = '' } = {}): Buffer {
  const start = Buffer.from(`RIFF....WAVE${chunk}`, 'latin1');
  const head = Buffer.alloc(32);
  head.write('fmt ', 0, 'latin1');
  head.writeUInt32LE(16, 4);
  head.writeUInt16LE(1, 8);
  head.writeUInt16LE(1, 10);
  head.writeUInt32LE(8_000, 12);
  head.writeUInt32LE(byteRate, 16);
  head.writeUInt16LE(16, 22);
  head.write('data', 24, 'latin1');
  const headBytes = start.length + head.length;
  return Buffer.concat([start, head, Buffer.alloc(seconds * 16_000 - headBytes)]);
}

/** A chunk that contains the format of a file with 4,294,967,295 samples a second. */
const falseFormat = [
  'JUNK\x20\0\0\0fmt \x10\0\0\0\x01\0\x01\0',
  '\xff'.repeat(8),
  '\x02\0\x10\0',
  'x'.repeat(8),
].join('');

/** MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes and 26 ms a frame. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
/** MPEG 2, layer III, 8 kbit/s, 16 kHz: 36 bytes and 36 ms a frame. */
const slowFrame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x18, 0x00]), Buffer.alloc(32)]);

test.each([
  ['WAV', wav(12.5), 13],
  ['WAV with a false byte rate', wav(12.5, { byteRate: 0xffffffff }), 13],
  ['WAV with a format inside another chunk', wav(12.5, { chunk: falseFormat }), 13],
  ['MP3', Buffer.concat(Array.from({ length: 200 }, () => frame)), 6],
  ['MP3 of the lowest rate', Buffer.concat(Array.from({ length: 100 }, () => slowFrame)), 4],
  ['an unknown format, as the lowest rate', Buffer.alloc(3_500), 4],
  ['an unknown format with bytes of a frame', Buffer.concat([frame, Buffer.alloc(3_500)]), 4],
  ['data too short for sound', Buffer.from('a'), 1],
])('counts the started seconds of a sound: %s', (_name, bytes, seconds) => {
  const part = { type: 'input_audio', input_audio: { data: base64(bytes), format: 'wav' } };
  expect(measure(part)).toMatchObject({ images: 0, pages: 0, audioSeconds: seconds });
});

test.each([
  ['text', { type: 'text', text: 'A'.repeat(5_000) }],
  ['a call of a tool', { type: 'tool_use', input: {} }],
])('does not count %s as media', (_name, part) => {
  expect(measure(part)).toBeNull();
});
