// Detects near-duplicates with MinHash (Broder 1997). A body is a set of shingles of three tokens,
// which are words of an alphabet, single ideographs or kana. The signatures of two bodies give an
// estimate of their Jaccard similarity, and bands of a signature find candidates. Bodies with a
// similarity of at least .85 are duplicates.
import { hashText } from '../../../kernel/text/hash-text.ts';

/** 128 values of 16 bits, 256 bytes. The standard deviation of the estimate at .85 is .03. */
const HASH_COUNT = 128;
/** 16 bands of 8 values. Pairs at .85 share a band with probability .994, pairs at .5 with .06. */
const BAND_ROWS = 8;
const SHINGLE_TOKENS = 3;
const NEAR_IDENTICAL_MIN = 0.85;
/** Minimum length, in words or pairs of ideographs, for a meaningful comparison. */
const WORDS_MIN = 40;
const READ_CHARACTERS_MAX = 50_000;

export type Signature = Uint16Array;

/** Null when the text is too short. Equal texts have equal signatures. */
export function signatureOf(text: string): Signature | null {
  const tokens = tokensOf(text.slice(0, READ_CHARACTERS_MAX));
  if (lengthInWords(tokens) < WORDS_MIN) return null;
  const minima = new Uint32Array(HASH_COUNT).fill(0xffffffff);
  const seenHashes = new Set<number>();
  for (let index = 0; index + SHINGLE_TOKENS <= tokens.length; index += 1) {
    const shingleHash = hashText(tokens.slice(index, index + SHINGLE_TOKENS).join(' '));
    if (seenHashes.has(shingleHash)) continue;
    seenHashes.add(shingleHash);
    for (let row = 0; row < HASH_COUNT; row += 1) {
      // Each row has a hash function of its own, from a multiple of an odd constant.
      const value = mixBits(shingleHash ^ Math.imul(row + 1, 0x9e3779b1));
      if (value < (minima[row] ?? 0)) minima[row] = value;
    }
  }
  // A minimum's high bits are nearly always zero, so only the low 16 bits are kept.
  return Uint16Array.from(minima, (value) => value & 0xffff);
}

/** Estimated share of common shingles, 0..1. */
export function similarity(a: Signature, b: Signature): number {
  let equalRows = 0;
  for (let row = 0; row < HASH_COUNT; row += 1) if (a[row] === b[row]) equalRows += 1;
  return equalRows / HASH_COUNT;
}

export function isNearIdentical(a: Signature, b: Signature): boolean {
  return similarity(a, b) >= NEAR_IDENTICAL_MIN;
}

/**
 * Sixteen keys, decimal integers of 64 bits. Two near-identical bodies very probably have an equal
 * key at the same position.
 */
export function bandsOf(signature: Signature): readonly string[] {
  return Array.from({ length: HASH_COUNT / BAND_ROWS }, (_, band) => {
    const rows = signature.subarray(band * BAND_ROWS, (band + 1) * BAND_ROWS);
    // Two 32-bit hashes of the band's values with different constants form one key.
    let high = 0x811c9dc5;
    let low = 0x9e3779b1;
    for (const value of rows) {
      high = mixBits(high ^ value);
      low = mixBits(Math.imul(low, 0x01000193) ^ value);
    }
    return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)).toString();
  });
}

/** Storage form: 256 bytes, little-endian. */
export function signatureToBytes(signature: Signature): Uint8Array {
  const bytes = new Uint8Array(HASH_COUNT * 2);
  const view = new DataView(bytes.buffer);
  for (const [row, value] of signature.entries()) view.setUint16(row * 2, value, true);
  return bytes;
}

/** Null when `bytes` is not a signature of this version. */
export function signatureFromBytes(bytes: Uint8Array): Signature | null {
  if (bytes.byteLength !== HASH_COUNT * 2) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: HASH_COUNT }, (_, row) => view.getUint16(row * 2, true));
}

const wideCharacter = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`;
const token = new RegExp(
  String.raw`${wideCharacter}|(?:(?!${wideCharacter})[\p{L}\p{M}\p{N}])+`,
  'gu',
);

/** Words of alphabets, and single ideographs and kana. */
function tokensOf(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(token) ?? [];
}

function lengthInWords(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + (/^\p{sc=Han}$/u.test(token) ? 0.5 : 1), 0);
}

/** Murmur3's finaliser: every input bit affects every output bit. */
function mixBits(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
