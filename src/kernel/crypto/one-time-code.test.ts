import { expect, test } from 'vitest';
import { findStep, formatTotpSecret, formatTotpUri, generateCode } from './one-time-code.ts';

const secret = Buffer.from('12345678901234567890');

test('codes equal the examples of RFC 4226, appendix D', () => {
  const codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((counter) => generateCode(secret, counter));
  expect(codes).toEqual([
    ...['755224', '287082', '359152', '969429', '338314'],
    ...['254676', '287922', '162583', '399871', '520489'],
  ]);
});

test('codes by time equal the examples of RFC 6238, appendix B', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30);
    expect(findStep(secret, code, seconds * 1000)).toBe(step);
    expect(findStep(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, seconds * 1000)).toBe(step);
  }
});

test('accepts a code that is at most one step early or late', () => {
  const now = 30_000 * 1_000;
  const results = [998, 999, 1_000, 1_001, 1_002].map((step) =>
    findStep(secret, generateCode(secret, step), now),
  );
  expect(results).toEqual([null, 999, 1_000, 1_001, null]);
  for (const input of ['', '12345', '1234567', 'abcdef']) {
    expect(findStep(secret, input, now)).toBeNull();
  }
});

test('the URI for authenticators contains the name of the installation and of the account', () => {
  expect(formatTotpSecret(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(formatTotpUri(secret, 'Content Radar', 'a+b@example.com')).toBe(
    'otpauth://totp/Content%20Radar:a%2Bb%40example.com' +
      '?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Content+Radar',
  );
});
