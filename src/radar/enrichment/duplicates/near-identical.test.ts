import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import {
  bandsOf,
  isNearIdentical,
  type Signature,
  signatureFromBytes,
  signatureOf,
  signatureToBytes,
  similarity,
} from './near-identical.ts';

const syllables = ['ka', 'lo', 'mi', 'ran', 'tes', 'vu', 'pel', 'dor', 'sin', 'ga', 'bre', 'zu'];

/** Generates `count` pseudo-words from a seed. */
function makeWords(seed: number, count: number): string[] {
  const random = seededRandom(seed);
  const pick = () => syllables[Math.floor(random.next() * syllables.length)] ?? '';
  return Array.from({ length: count }, () => pick() + pick() + pick());
}

function makeIdeographs(seed: number, count: number): string {
  const random = seededRandom(seed);
  const codes = Array.from({ length: count }, () => 0x4e00 + Math.floor(random.next() * 3_000));
  return String.fromCharCode(...codes);
}

function requireSignature(text: string): Signature {
  const signature = signatureOf(text);
  if (signature === null) throw new Error('the text is too short to sign');
  return signature;
}

test('a body is near-identical to itself with other capitals, widths and spaces', () => {
  const text = makeWords(1, 200).join(' ');
  const respacedText = text.toUpperCase().replaceAll(' ', ',\n  ');
  expect(similarity(requireSignature(text), requireSignature(respacedText))).toBe(1);
  expect(bandsOf(requireSignature(text))).toEqual(bandsOf(requireSignature(respacedText)));
});

test('bodies that differ in a few of hundreds of words are near-identical and share a band', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const before = makeWords(seed, 300);
      const after = before.with(40, 'changed').with(160, 'also').concat('updated', 'today');
      const [a, b] = [requireSignature(before.join(' ')), requireSignature(after.join(' '))];
      expect(isNearIdentical(a, b)).toBe(true);
      expect(bandsOf(a).some((band) => bandsOf(b).includes(band))).toBe(true);
    }),
  );
});

test('a long Chinese text with one changed word stays near-identical', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const text = makeIdeographs(seed, 600);
      const edited = `${text.slice(0, 300)}更新${text.slice(302)}`;
      expect(isNearIdentical(requireSignature(text), requireSignature(edited))).toBe(true);
    }),
  );
});

test('bodies that differ completely, or by half, are not near-identical', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (first, second) => {
      fc.pre(first >>> 0 !== second >>> 0);
      const [a, b] = [makeWords(first, 200), makeWords(second, 200)];
      const half = [...a.slice(0, 100), ...b.slice(100)];
      expect(isNearIdentical(requireSignature(a.join(' ')), requireSignature(b.join(' ')))).toBe(
        false,
      );
      expect(isNearIdentical(requireSignature(a.join(' ')), requireSignature(half.join(' ')))).toBe(
        false,
      );
    }),
  );
});

test('the estimate is close to the true share of shingles', () => {
  const all = makeWords(7, 400);
  const a = requireSignature(all.slice(0, 302).join(' '));
  const b = requireSignature(all.slice(100, 402).join(' '));
  // 200 of 398 shingles are shared.
  expect(similarity(a, b)).toBeGreaterThan(0.5 - 0.14);
  expect(similarity(a, b)).toBeLessThan(0.5 + 0.14);
});

test('a body of at least forty words, or eighty ideographs, has a signature', () => {
  expect(signatureOf('')).toBeNull();
  expect(signatureOf('😀'.repeat(1_000))).toBeNull();
  expect(signatureOf(makeWords(3, 39).join(' '))).toBeNull();
  expect(signatureOf(makeWords(3, 40).join(' '))).not.toBeNull();
  expect(signatureOf(makeIdeographs(3, 79))).toBeNull();
  expect(signatureOf(makeIdeographs(3, 80))).not.toBeNull();
});

test('a signature survives conversion to 256 bytes; other bytes are refused', () => {
  const signature = requireSignature(makeWords(5, 100).join(' '));
  const bytes = signatureToBytes(signature);
  expect(bytes.byteLength).toBe(256);
  expect(signatureFromBytes(Buffer.from(bytes))).toEqual(signature);
  expect(signatureFromBytes(bytes.subarray(1))).toBeNull();
});

test('the signature of a fixed text never changes, because signatures are stored', () => {
  const bytes = signatureToBytes(requireSignature(makeWords(9, 60).join(' ')));
  expect(Buffer.from(bytes.subarray(0, 8)).toString('hex')).toMatchInlineSnapshot(
    `"55313d89be4e6af6"`,
  );
});
