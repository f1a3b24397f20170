// Decodes bytes to text. Order of precedence: byte order mark, charset of the HTTP header (RFC
// 7303), the document's declaration, statistics. A declaration that the bytes contradict is
// ignored, and no input is refused.
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { type FetchWarning, fetchWarning } from '../fetch/fetch-warning.ts';
import { type Codec, findCodec } from './encodings/codecs.ts';
import { mendUtf8 } from './encodings/mend-utf-8.ts';

export type DecodedText = {
  readonly text: string;
  /** The encoding used, by its internal name: `utf8`, `gb18030`, `koi8r`. */
  readonly encoding: string;
  /** Present when a declaration contradicts the bytes. */
  readonly warnings: readonly FetchWarning[];
};

/** HTML requires the declaration in the first 1,024 bytes. XML declarations are far shorter. */
const HEAD_BYTES = 1024;
const SNIFF_BYTES = 64 * 1024;
const MIN_STATISTIC_BYTES = 6;

/** `contentType` is the raw HTTP header or null. Never throws; linear in the bytes. */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const shape = detectShape(bytes);
  if (shape?.markLength) return decodeAs(shape.codec, bytes.subarray(shape.markLength), []);
  const charset = /;\s*charset\s*=\s*["']?\s*([^"';\s]+)/i.exec(contentType ?? '')?.[1] ?? null;
  const declaredCharset = declaredLabel(decodeHead(bytes, shape?.codec ?? null));
  const warnings: FetchWarning[] = [];
  for (const [label, where] of [
    [charset, 'HTTP header'],
    [declaredCharset, 'document'],
  ] as const) {
    if (label === null) continue;
    const codec = findCodec(label);
    const text = codec === null ? null : decodeDeclared(codec, shape?.codec ?? null, bytes);
    if (text !== null) return { ...text, warnings };
    warnings.push(fetchWarning('encoding-wrong', label.slice(0, 40), where));
  }
  if (shape) return decodeAs(shape.codec, bytes, warnings);
  return detectEncoding(bytes, warnings);
}

type ByteShape = {
  readonly codec: Codec;
  /** Bytes of the byte order mark; 0 without one. */
  readonly markLength: number;
};

/**
 * Encodings that the first bytes prove (XML 1.0, appendix F): these bytes, the encoding, and the
 * length of the byte order mark. 0x3c is `<` and 0x7b is `{`.
 */
const shapes: readonly (readonly [readonly number[], string, number])[] = [
  [[0x00, 0x00, 0xfe, 0xff], 'utf-32be', 4],
  [[0xff, 0xfe, 0x00, 0x00], 'utf-32le', 4],
  [[0xfe, 0xff], 'utf-16be', 2],
  [[0xff, 0xfe], 'utf-16le', 2],
  [[0xef, 0xbb, 0xbf], 'utf-8', 3],
  [[0x00, 0x00, 0x00, 0x3c], 'utf-32be', 0],
  [[0x3c, 0x00, 0x00, 0x00], 'utf-32le', 0],
  [[0x00, 0x3c, 0x00], 'utf-16be', 0],
  [[0x3c, 0x00], 'utf-16le', 0],
  [[0x00, 0x7b, 0x00], 'utf-16be', 0],
  [[0x7b, 0x00], 'utf-16le', 0],
];

function detectShape(bytes: Uint8Array): ByteShape | null {
  const shape = shapes.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  const codec = shape ? findCodec(shape[1]) : null;
  return shape && codec ? { codec, markLength: shape[2] } : null;
}

/** The first bytes as text in which a declaration can be found. */
function decodeHead(bytes: Uint8Array, codec: Codec | null): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  return codec ? codec.decode(head) : Buffer.from(head).toString('latin1');
}

/** The label of an XML or HTML declaration. */
function declaredLabel(head: string): string | null {
  const declaration = /<\?xml\s[^>]{0,200}?encoding\s*=\s*[^\w\s]?\s*([\w.:-]+)/i.exec(head);
  if (declaration) return declaration[1] ?? null;
  const meta = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  return meta?.[1] ?? null;
}

type DecodedBytes = { readonly text: string; readonly encoding: string };

function decodeAs(codec: Codec, bytes: Uint8Array, warnings: readonly FetchWarning[]): DecodedText {
  if (codec.family === 'utf-8') return { ...decodeUtf8(bytes), warnings };
  return { text: codec.decode(bytes), encoding: codec.name, warnings };
}

/** Decodes as declared; null when the bytes contradict the declaration. */
function decodeDeclared(codec: Codec, shape: Codec | null, bytes: Uint8Array): DecodedBytes | null {
  // The label `utf-16` does not name the byte order, so the order of the first bytes is used.
  if (codec.family === 'wide' || shape?.family === 'wide') {
    if (shape === null || shape.family !== 'wide') return null;
    return { text: shape.decode(bytes), encoding: shape.name };
  }
  if (codec.family === 'utf-8') {
    const { text, validCount, invalidCount } = isUtf8(bytes) ? utf8Text(bytes) : mendUtf8(bytes);
    return invalidCount <= validCount / 2 ? { text, encoding: 'utf8' } : null;
  }
  // Servers declare Latin-1 by default. Non-ASCII Latin-1 text is almost never valid UTF-8.
  if (codec.family === 'latin' && isUtf8(bytes) && !isAscii(bytes)) return null;
  const text = codec.decode(bytes);
  return isUnreadable(text) ? null : { text, encoding: codec.name };
}

const utf8Text = (bytes: Uint8Array) => ({
  text: new TextDecoder('utf-8').decode(bytes),
  validCount: 0,
  invalidCount: 0,
});

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);

/** True with two or more replacement characters that exceed 1 % of the non-ASCII characters. */
function isUnreadable(text: string): boolean {
  let replacementCount = 0;
  let nonAsciiCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    nonAsciiCount += 1;
    if (code === 0xfffd) replacementCount += 1;
  }
  return replacementCount > 1 && replacementCount * 100 > nonAsciiCount;
}

function decodeUtf8(bytes: Uint8Array): DecodedBytes {
  const { text } = isUtf8(bytes) ? utf8Text(bytes) : mendUtf8(bytes);
  return { text, encoding: 'utf8' };
}

/** Without a credible declaration: UTF-8 when valid, otherwise by statistics. */
function detectEncoding(bytes: Uint8Array, warnings: FetchWarning[]): DecodedText {
  if (isUtf8(bytes)) return { ...decodeUtf8(bytes), warnings };
  const { text, validCount, invalidCount } = mendUtf8(bytes);
  if (validCount > invalidCount * 2) return { text, encoding: 'utf8', warnings };
  // Statistics need more bytes.
  if (invalidCount < MIN_STATISTIC_BYTES) return { text, encoding: 'cp1252', warnings };
  const guess = guessEncoding(bytes);
  if (guess) return { ...guess, warnings };
  warnings.push(fetchWarning('encoding-unknown'));
  return { text, encoding: 'cp1252', warnings };
}

function guessEncoding(bytes: Uint8Array): DecodedBytes | null {
  const guesses = chardet.analyse(withoutTags(bytes.subarray(0, SNIFF_BYTES)));
  const westernConfidence =
    guesses.find(({ name }) => findCodec(name)?.family === 'latin')?.confidence ?? 0;
  for (const { name, confidence } of guesses) {
    const codec = findCodec(name);
    if (confidence < MIN_CONFIDENCE || codec?.family === 'latin') return null;
    if (codec?.family !== 'ascii-like') continue;
    // The Latin alphabets share most letters. Without a clear lead the most common encoding is
    // used.
    if (latinScript.has(codec.name) && confidence < westernConfidence * CLEAR_LEAD) return null;
    const text = codec.decode(bytes);
    if (!isUnreadable(text)) return { text, encoding: codec.name };
  }
  return null;
}

/** In percent, as the detector reports it. */
const MIN_CONFIDENCE = 20;
/** Ratio of two confidences. */
const CLEAR_LEAD = 1.5;
const latinScript = new Set(
  'iso88592 iso88599 windows1250 windows1254 windows1257 windows1258'.split(' '),
);

/** Tags are English in every document, so statistics use only the text. */
function withoutTags(bytes: Uint8Array): Uint8Array {
  const text: number[] = [];
  let isInTag = false;
  for (const byte of bytes) {
    if (byte === 0x3c) isInTag = true;
    if (!isInTag) text.push(byte);
    if (byte === 0x3e) isInTag = false;
  }
  return Uint8Array.from(text);
}
