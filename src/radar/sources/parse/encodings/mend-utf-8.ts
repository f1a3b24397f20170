// Repairs nearly valid UTF-8. Valid sequences stay; every other byte is decoded as windows-1252.
// Texts with copied parts from other systems mix the two encodings.
import { decodeC1Controls } from '../../../../kernel/text/text.ts';

export type MendedUtf8 = {
  readonly text: string;
  /** Number of valid sequences of two or more bytes. */
  readonly validCount: number;
  /** Number of invalid bytes, without a sequence cut off at the end. */
  readonly invalidCount: number;
};

export function mendUtf8(bytes: Uint8Array): MendedUtf8 {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  let valid = 0;
  let invalid = 0;
  let start = 0;
  let position = 0;
  while (position < source.length) {
    const byte = source[position] ?? 0;
    const length = sequenceLength(source, position);
    if (length > 1) valid += 1;
    if (length > 0) {
      position += length;
      continue;
    }
    if (position > start) pieces.push(source.toString('utf8', start, position));
    start = position + 1;
    if (isCutOff(source, position)) {
      start = source.length;
      break;
    }
    invalid += 1;
    pieces.push(decodeC1Controls(String.fromCharCode(byte)));
    position += 1;
  }
  if (start < source.length) pieces.push(source.toString('utf8', start));
  return { text: pieces.join(''), validCount: valid, invalidCount: invalid };
}

/** The later bytes of a sequence begin with the bits 10. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Length of the well-formed sequence at `at` (Unicode, table 3-7); 0 when there is none. */
function sequenceLength(source: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const first = source[at] ?? 0;
  if (first < 0x80) return 1;
  const second = source[at + 1] ?? 0;
  const third = source[at + 2];
  const fourth = source[at + 3];
  if (first < 0xc2 || first > 0xf4 || !isContinuation(second)) return 0;
  if (first < 0xe0) return 2;
  if (!isContinuation(third)) return 0;
  if (first < 0xf0) {
    const isInvalidThree = (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f);
    return isInvalidThree ? 0 : 3;
  }
  const isInvalidFour = (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f);
  return isInvalidFour || !isContinuation(fourth) ? 0 : 4;
}

/** True when the source ends inside the sequence that begins at `at`. */
function isCutOff(source: Uint8Array, at: number): boolean {
  const sequence = source.subarray(at, at + 4);
  if (at + sequence.length < source.length || sequence.length > 3) return false;
  const first = sequence[0] ?? 0;
  const byteCount = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && sequence.length < byteCount && sequence.subarray(1).every(isContinuation);
}
