import { describe, expect, test } from 'vitest';
import {
  fingerprintOf,
  fingerprintOfText,
  hasPreference,
  readIdempotencyKey,
} from './idempotency.ts';

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
  const request = { method: 'POST', path: '/p', query: '' };
  const body = { a: 1, b: [2, { c: 3, d: 4 }] };
  test('ignores the order of members', async () => {
    const reorderedBody = { b: [2, { d: 4, c: 3 }], a: 1.0 };
    expect(fingerprintOf(request, reorderedBody)).toBe(fingerprintOf(request, body));
    const text = JSON.stringify(reorderedBody, null, 2);
    expect(await fingerprintOfText(request, text)).toBe(fingerprintOf(request, body));
  });
  test.each([
    [{ ...request, method: 'PUT' }, body],
    [{ ...request, path: '/q' }, body],
    [{ ...request, query: 'a=1' }, body],
    [request, { a: 1 }],
    [request, { a: 1, b: [{ c: 3, d: 4 }, 2] }],
  ])('depends on all other parts: %j %j', async (otherRequest, otherBody) => {
    const other = fingerprintOf(otherRequest, otherBody);
    expect(other).not.toBe(fingerprintOf(request, body));
    expect(await fingerprintOfText(otherRequest, JSON.stringify(otherBody))).toBe(other);
  });

  test('of a long text is the same, and other work runs meanwhile', async () => {
    const longBody = { z: 'é'.repeat(600_000), a: Array.from({ length: 200_000 }, (_, i) => i) };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const fingerprint = await fingerprintOfText(request, JSON.stringify(longBody));
    clearInterval(timer);
    expect(fingerprint).toBe(fingerprintOf(request, longBody));
    expect(turns).toBeGreaterThan(1);
  });

  test('does not change between versions', async () => {
    const text = '{"seed":12345678901234567890,"a":[1.50,{"c":"\\u0041","b":null}]}';
    expect(await fingerprintOfText(request, text)).toBe(
      'C-IzjViMv1dFp8OjlfuPZpueEq16fQOuKGEpm_PpVnI',
    );
  });
});

test('finds a preference only as a separate word of the list', () => {
  expect(hasPreference('respond-async, idempotent-replay; x=1', 'idempotent-replay')).toBe(true);
  expect(hasPreference('Wait=5, Idempotent-Replay', 'idempotent-replay')).toBe(true);
  expect(hasPreference('wait=10', 'idempotent-replay')).toBe(false);
  expect(hasPreference(undefined, 'idempotent-replay')).toBe(false);
});
