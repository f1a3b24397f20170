import { describe, expect, test } from 'vitest';
import { clientKeyOf, normalizeAddress } from './address.ts';

describe('formats each address in one canonical form', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:4711 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['2001:DB8:0::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::', '::'],
    ['unknown', null],
    ['_hidden', null],
    ['', null],
    ['256.0.0.1', null],
    ['[203.0.113.7', null],
    ['2001:db8::1::2', null],
    ['203.0.113.7, 203.0.113.8', null],
  ])('%j has the canonical form %j', (text, address) =>
    expect(normalizeAddress(text)).toBe(address),
  );
});

describe('addresses of one client have one key', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s has the key %s', (address, key) => expect(clientKeyOf(address)).toBe(key));
});
