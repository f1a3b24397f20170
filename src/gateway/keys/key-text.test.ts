import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../kernel/crypto/random.ts';
import { displayPartsOf, makeKeyText, readKeyText } from './key-text.ts';

const forms = [
  { kind: 'sk', livemode: true, start: 'sk-' },
  { kind: 'sk', livemode: false, start: 'sk-test-' },
  { kind: 'ak', livemode: true, start: 'ak-' },
  { kind: 'ak', livemode: false, start: 'ak-test-' },
] as const;

test.each(forms)(
  'recognizes the kind of a key with the prefix $start',
  ({ kind, livemode, start }) => {
    const key = makeKeyText(seededRandom(7), { kind, livemode });
    expect(key).toMatch(new RegExp(`^${start}[a-z2-7]{38}$`));
    expect(readKeyText(key)).toEqual({ kind, livemode });
    expect(displayPartsOf(key)).toEqual({
      prefix: key.slice(0, start.length + 4),
      last4: key.slice(-4),
    });
  },
);

test('a key has 160 random bits', () => {
  const zeroBytes = { next: () => 0, bytes: (count: number) => new Uint8Array(count) };
  const allBits = { next: () => 0, bytes: (count: number) => new Uint8Array(count).fill(255) };
  const form = { kind: 'sk', livemode: true } as const;
  expect(makeKeyText(zeroBytes, form).slice(3, 35)).toBe('a'.repeat(32));
  expect(makeKeyText(allBits, form).slice(3, 35)).toBe('7'.repeat(32));
});

test('refuses a key with one wrong letter or an altered prefix', () => {
  const key = makeKeyText(seededRandom(3), { kind: 'sk', livemode: true });
  expect(readKeyText(key.replace('sk-', 'sk-test-'))).toBeNull();
  expect(readKeyText(key.replace('sk-', 'ak-'))).toBeNull();
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: key.length - 1 }),
      fc.constantFrom('a', '2', 'Z'),
      (at, put) => {
        fc.pre(key[at] !== put);
        expect(readKeyText(key.slice(0, at) + put + key.slice(at + 1))).toBeNull();
      },
    ),
    { seed: 42 },
  );
  fc.assert(
    fc.property(fc.string(), (text) => readKeyText(text) === null),
    { seed: 42 },
  );
});
