// Near-duplicate detection with MinHash (Broder 1997). A body is a set of shingles of three tokens,
// which are Latin words or single ideographs. Its signature estimates the Jaccard similarity of two
// sets, and bands of it find candidates. Bodies with a similarity of at least .85 are duplicates.
import { hashText } from '../../../kernel/text/hash-text.ts';

/** 128 values of 16 bits, 256 bytes. The standard deviation of the estimate at .85 is .03. */
const hashCount = 128;
/** 16 bands of 8: a pair at .85 shares one with probability .994, a pair at .5 with .06. */
const bandRows = 8;
const shingleTokens = 3;
const identicalFrom = 0.85;
/** Shorter bodies, in words or pairs of ideographs, carry too little text for a comparison. */
const minimumWords = 40;
const readCharacters = 50_000;

export type Signature = Uint16Array;

/** Null when the text is too short. Equal texts have equal signatures. */
export function signatureOf(text: string): Signature | null {
  const tokens = tokensOf(text.slice(0, readCharacters));
  if (lengthInWords(tokens) < minimumWords) return null;
  const minima = new Uint32Array(hashCount).fill(0xffffffff);
  const shingles = new Set<number>();
  for (let index = 0; index + shingleTokens <= tokens.length; index += 1) {
    const base = hashText(tokens.slice(index, index + shingleTokens).join(' '));
    if (shingles.has(base)) continue;
    shingles.add(base);
    for (let row = 0; row < hashCount; row += 1) {
      const value = mixBits(base ^ Math.imul(row + 1, 0x9e3779b1));
      if (value < (minima[row] ?? 0)) minima[row] = value;
    }
  }
  // A minimum's high bits are nearly always zero, so only the low 16 bits are kept.
  return Uint16Array.from(minima, (value) => value & 0xffff);
}

/** Estimated share of common shingles, 0..1. */
export function similarity(a: Signature, b: Signature): number {
  let same = 0;
  for (let row = 0; row < hashCount; row += 1) if (a[row] === b[row]) same += 1;
  return same / hashCount;
}

export function isNearIdentical(a: Signature, b: Signature): boolean {
  return similarity(a, b) >= identicalFrom;
}

/**
 * Sixteen keys, decimal integers of 64 bits. Two near-identical bodies share at least one at the
 * same place with high probability.
 */
export function bandsOf(signature: Signature): readonly string[] {
  return Array.from({ length: hashCount / bandRows }, (_, band) => {
    const rows = signature.subarray(band * bandRows, (band + 1) * bandRows);
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
  const bytes = new Uint8Array(hashCount * 2);
  const view = new DataView(bytes.buffer);
  for (const [row, value] of signature.entries()) view.setUint16(row * 2, value, true);
  return bytes;
}

/** Null when `bytes` is not a signature of this version. */
export function signatureFromBytes(bytes: Uint8Array): Signature | null {
  if (bytes.byteLength !== hashCount * 2) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: hashCount }, (_, row) => view.getUint16(row * 2, true));
}

const wide = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`;
const token = new RegExp(String.raw`${wide}|(?:(?!${wide})[\p{L}\p{M}\p{N}])+`, 'gu');

/** Words of alphabets, and single ideographs and kana. */
function tokensOf(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(token) ?? [];
}

function lengthInWords(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + (/^\p{sc=Han}$/u.test(token) ? 0.5 : 1), 0);
}

/** Murmur3's finaliser: every input bit affects every output bit. */
function mixBits(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
