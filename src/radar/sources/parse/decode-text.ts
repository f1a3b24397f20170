// From bytes to text. Which encoding is believed: byte order mark, then the charset of the HTTP
// header (RFC 7303), then the document's own declaration, then what the bytes look like. A
// declaration that the bytes contradict is not believed, and no input is refused.
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { type Note, note } from '../fetch/fetch-warning.ts';
import { type Codec, findCodec } from './encodings/codecs.ts';
import { mendUtf8 } from './encodings/mend-utf-8.ts';

export type DecodedText = {
  readonly text: string;
  /** The encoding that was used, by our name for it: `utf8`, `gb18030`, `cp037`. */
  readonly encoding: string;
  /** When what was declared was not what the bytes are. */
  readonly warnings: readonly Note[];
};

/** A declaration stands in the first kilobyte (HTML's rule; an XML declaration is far shorter). */
const HEAD_BYTES = 1024;
const SNIFF_BYTES = 64 * 1024;
const STATISTIC_BYTES = 6;

/** `contentType`: the HTTP header as it came, or null. Never throws; linear in the bytes. */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const shape = shapeOf(bytes);
  if (shape?.mark) return decoded(shape.codec, bytes.subarray(shape.mark), []);
  const charset = /;\s*charset\s*=\s*["']?\s*([^"';\s]+)/i.exec(contentType ?? '')?.[1] ?? null;
  const declared = declaredIn(headOf(bytes, shape?.codec ?? null));
  const warnings: Note[] = [];
  for (const [label, where] of [
    [charset, 'HTTP header'],
    [declared, 'document'],
  ] as const) {
    if (label === null) continue;
    const codec = findCodec(label);
    const text = codec === null ? null : believed(codec, shape?.codec ?? null, bytes);
    if (text !== null) return { ...text, warnings };
    warnings.push(note('encoding-wrong', label.slice(0, 40), where));
  }
  if (shape) return decoded(shape.codec, bytes, warnings);
  return sniffed(bytes, warnings);
}

type Shape = { readonly codec: Codec /** Bytes of the byte order mark. */; readonly mark: number };

/** What the first bytes prove (XML 1.0, appendix F). */
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
  [[0x4c, 0x6f, 0xa7, 0x94], 'cp037', 0],
];

function shapeOf(bytes: Uint8Array): Shape | null {
  const found = shapes.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  const codec = found ? findCodec(found[1]) : null;
  return found && codec ? { codec, mark: found[2] } : null;
}

/** The beginning as something in which a declaration can be found. */
function headOf(bytes: Uint8Array, codec: Codec | null): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  return codec ? codec.decode(head) : Buffer.from(head).toString('latin1');
}

/** The label that the document declares, in XML's way or in HTML's. */
function declaredIn(head: string): string | null {
  // Some EBCDIC pages have the quotes elsewhere than the page that the head is read by.
  const declaration = /<\?xml\s[^>]{0,200}?encoding\s*=\s*[^\w\s]?\s*([\w.:-]+)/i.exec(head);
  if (declaration) return declaration[1] ?? null;
  const meta = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  return meta?.[1] ?? null;
}

type Read = { readonly text: string; readonly encoding: string };

function decoded(codec: Codec, bytes: Uint8Array, warnings: readonly Note[]): DecodedText {
  if (codec.family === 'utf-8') return { ...mended(bytes), warnings };
  return { text: codec.decode(bytes), encoding: codec.name, warnings };
}

/** The text as declared; null when the bytes say that it cannot be. */
function believed(codec: Codec, shape: Codec | null, bytes: Uint8Array): Read | null {
  // `utf-16` does not say which; a declaration inside UTF-16 bytes can only mean UTF-16.
  if (codec.family === 'wide' || shape?.family === 'wide') {
    if (shape === null || shape.family !== 'wide') return null;
    return { text: shape.decode(bytes), encoding: shape.name };
  }
  if ((codec.family === 'ebcdic') !== (shape?.family === 'ebcdic')) {
    // EBCDIC declared without EBCDIC's `<?xm` before it: only text that is no markup.
    if (shape !== null || looksLikeAscii(bytes)) return null;
  }
  if (codec.family === 'utf-8') {
    const { text, valid, invalid } = isUtf8(bytes) ? utf8Text(bytes) : mendUtf8(bytes);
    return invalid <= valid / 2 ? { text, encoding: 'utf8' } : null;
  }
  // Servers say Latin-1 without looking. Valid UTF-8 beyond ASCII is not Latin-1 by chance.
  if (codec.family === 'latin' && isUtf8(bytes) && !isAscii(bytes)) return null;
  const text = codec.decode(bytes);
  return isGarbled(text) ? null : { text, encoding: codec.name };
}

const utf8Text = (bytes: Uint8Array) => ({
  text: new TextDecoder('utf-8').decode(bytes),
  valid: 0,
  invalid: 0,
});

const looksLikeAscii = (bytes: Uint8Array) => bytes.subarray(0, 64).includes(0x3c);

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);

/** More than one unreadable character in a hundred beyond ASCII (and more than one at all). */
function isGarbled(text: string): boolean {
  let unreadable = 0;
  let foreign = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    foreign += 1;
    if (code === 0xfffd) unreadable += 1;
  }
  return unreadable > 1 && unreadable * 100 > foreign;
}

function mended(bytes: Uint8Array): Read {
  const { text } = isUtf8(bytes) ? utf8Text(bytes) : mendUtf8(bytes);
  return { text, encoding: 'utf8' };
}

/** Nothing credible was declared: UTF-8 if it is, else what the statistics say. */
function sniffed(bytes: Uint8Array, warnings: Note[]): DecodedText {
  if (isUtf8(bytes)) return { ...mended(bytes), warnings };
  const { text, valid, invalid } = mendUtf8(bytes);
  if (valid > invalid * 2) return { text, encoding: 'utf8', warnings };
  // A handful of bytes is no statistic.
  if (invalid < STATISTIC_BYTES) return { text, encoding: 'cp1252', warnings };
  const guess = guessed(bytes);
  if (guess) return { ...guess, warnings };
  warnings.push(note('encoding-unknown'));
  return { text, encoding: 'cp1252', warnings };
}

function guessed(bytes: Uint8Array): Read | null {
  const guesses = chardet.analyse(withoutTags(bytes.subarray(0, SNIFF_BYTES)));
  const western = guesses.find(({ name }) => findCodec(name)?.family === 'latin')?.confidence ?? 0;
  for (const { name, confidence } of guesses) {
    const codec = findCodec(name);
    if (confidence < LEAST_CONFIDENCE || codec?.family === 'latin') return null;
    if (codec?.family !== 'ascii-like') continue;
    // The Latin alphabets share most letters; without a clear lead the common one is meant.
    if (latinScript.has(codec.name) && confidence < western * CLEAR_LEAD) return null;
    const text = codec.decode(bytes);
    if (!isGarbled(text)) return { text, encoding: codec.name };
  }
  return null;
}

const LEAST_CONFIDENCE = 20;
const CLEAR_LEAD = 1.5;
const latinScript = new Set(
  'iso88592 iso88599 windows1250 windows1254 windows1257 windows1258'.split(' '),
);

/** Tags are English whatever the text is: statistics are about the text. */
function withoutTags(bytes: Uint8Array): Uint8Array {
  const text: number[] = [];
  let isTag = false;
  for (const byte of bytes) {
    if (byte === 0x3c) isTag = true;
    if (!isTag) text.push(byte);
    if (byte === 0x3e) isTag = false;
  }
  return Uint8Array.from(text);
}
