import { describe, expect, test } from 'vitest';
import { fingerprintOf, hasPreference, readIdempotencyKey } from './idempotency.ts';

describe('the idempotency key', () => {
  test.each([
    [undefined, null],
    ['a', 'a'],
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"', '"'],
    ['!~', '!~'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('%s is read as %s', (header, key) => {
    expect(readIdempotencyKey(header)).toBe(key);
  });

  test.each(['', '""', ' ', 'a b', 'ключ', 'a\tb', 'x'.repeat(256), 'a, b'])(
    '%j is invalid',
    (header) => {
      expect(() => readIdempotencyKey(header)).toThrow('1 to 255 visible ASCII');
    },
  );
});

describe('the fingerprint', () => {
  const request = { method: 'POST', path: '/p', query: '', body: { a: 1, b: [2, { c: 3, d: 4 }] } };
  test('ignores the order of members', () => {
    const reordered = { ...request, body: { b: [2, { d: 4, c: 3 }], a: 1.0 } };
    expect(fingerprintOf(reordered)).toBe(fingerprintOf(request));
  });
  test.each([
    { ...request, method: 'PUT' },
    { ...request, path: '/q' },
    { ...request, query: 'a=1' },
    { ...request, body: { a: 1 } },
    { ...request, body: { a: 1, b: [{ c: 3, d: 4 }, 2] } },
  ])('depends on all other parts: %j', (other) => {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(request));
  });
});

test('finds a preference only as a separate word of the list', () => {
  expect(hasPreference('respond-async, idempotent-replay; x=1', 'idempotent-replay')).toBe(true);
  expect(hasPreference('Wait=5, Idempotent-Replay', 'idempotent-replay')).toBe(true);
  expect(hasPreference('wait=10', 'idempotent-replay')).toBe(false);
  expect(hasPreference(undefined, 'idempotent-replay')).toBe(false);
});
