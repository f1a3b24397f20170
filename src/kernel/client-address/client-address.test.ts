import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proofSeed } from '../../../tests/support/scale.ts';
import { clientAddresses } from './client-address.ts';
import { hopsOfForwarded } from './forwarded.ts';
import { readNetworks } from './networks.ts';

const trusted = readNetworks(['127.0.0.1', '10.0.0.0/8', '2001:db8:aa::/48'], 'TRUST_PROXY');
const nobody = readNetworks([], 'TRUST_PROXY');

describe('a peer that is no trusted proxy is the client, whatever it says', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' };
  test.each(['198.51.100.1', '2001:db8:bb::1'])('%s', (peer) => {
    expect(clientAddresses(peer, headers, trusted)).toEqual([peer]);
    expect(clientAddresses('127.0.0.1', headers, nobody)).toEqual(['127.0.0.1']);
  });
});

describe('X-Forwarded-For behind a trusted proxy', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 10.1.1.1, 10.2.2.2', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['1.1.1.1,, 203.0.113.7 , ', '203.0.113.7'],
    ['10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['203.0.113.7, rubbish', '127.0.0.1'],
    ['203.0.113.7, unknown, 10.2.2.2', '10.2.2.2'],
    ['', '127.0.0.1'],
  ])('%j is from %s', (header, client) => {
    expect(clientAddresses('127.0.0.1', { 'x-forwarded-for': header }, trusted)).toEqual([client]);
  });

  test('its peer may be written as a mapped address', () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect(clientAddresses('::ffff:127.0.0.1', headers, trusted)).toEqual(['203.0.113.7']);
  });

  test('lines that were not joined are one list', () => {
    const headers = { 'x-forwarded-for': ['1.1.1.1', '203.0.113.7, 10.1.1.1'] };
    expect(clientAddresses('127.0.0.1', headers, trusted)).toEqual(['203.0.113.7']);
  });
});

describe('Forwarded behind a trusted proxy', () => {
  test.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['For="203.0.113.7:4711";proto=https;by=10.1.1.1', '203.0.113.7'],
    ['proto=http; for="[2001:db8::1]:80" ; host="a,b;c"', '2001:db8::1'],
    ['for=1.1.1.1, for=203.0.113.7;by=10.1.1.1, for=10.1.1.1', '203.0.113.7'],
    [String.raw`for="203.0.113.\7"`, '203.0.113.7'],
    ['for=203.0.113.7, for=_hidden', '127.0.0.1'],
    ['for=203.0.113.7, for=unknown, for=10.9.9.9', '10.9.9.9'],
    ['for=203.0.113.7, proto=https', '203.0.113.7'],
    ['for="203.0.113.7', '127.0.0.1'],
    ['rubbish', '127.0.0.1'],
  ])('%s is from %s', (header, client) => {
    expect(clientAddresses('127.0.0.1', { forwarded: header }, trusted)).toEqual([client]);
  });
});

describe('both headers', () => {
  test('that agree name one client', () => {
    const headers = { forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.7' };
    expect(clientAddresses('10.0.0.1', headers, trusted)).toEqual(['203.0.113.7']);
  });

  test('that differ name both, for either may be passed on from the client', () => {
    const headers = { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '203.0.113.7' };
    expect(clientAddresses('10.0.0.1', headers, trusted)).toEqual(['203.0.113.7', '1.1.1.1']);
  });

  test('of which one ends at a proxy name the client of the other', () => {
    const headers = { forwarded: 'for=203.0.113.7', 'x-forwarded-for': '10.5.5.5' };
    expect(clientAddresses('10.0.0.1', headers, trusted)).toEqual(['203.0.113.7']);
  });
});

test('what a client writes in front of its proxy’s words never changes who it is', () => {
  const seed = proofSeed();
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (said) => {
      const forwarded = `${said}, for=203.0.113.7`;
      const headers = { 'x-forwarded-for': `${said}, 203.0.113.7` };
      expect(clientAddresses('127.0.0.1', headers, trusted)).toEqual(['203.0.113.7']);
      expect(clientAddresses('127.0.0.1', { forwarded }, trusted)).toEqual(['203.0.113.7']);
    }),
    { seed, numRuns: 2_000 },
  );
});

test.each([
  'for="1.1.1.1, for=203.0.113.7',
  'for="1.1.1.1, for="203.0.113.7:80"',
  String.raw`for="\, for="203.0.113.7:80";by="10.0.0.1"`,
  String.raw`for="a\", for=203.0.113.7`,
])('a quote that the client leaves open does not swallow what the proxy adds: %s', (forwarded) => {
  expect(clientAddresses('127.0.0.1', { forwarded }, trusted)).toEqual(['203.0.113.7']);
});

test('a comma within a quoted string separates nothing', () => {
  expect(hopsOfForwarded('for="a, b"; by=c, for=d')).toEqual(['a, b', 'd']);
});
