import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proofSeed } from '../../../tests/support/proof-size.ts';
import { Fault } from '../errors/fault.ts';
import { type ClientRequest, openClientResolver } from './client-address.ts';
import { type ForwardingHeader, forwardingHeaders, readHops } from './forwarded.ts';

const proxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8:aa::/48'];

function addressAt(
  peer: string,
  headers: ClientRequest['headers'],
  trustProxyHeader: ForwardingHeader = 'x-forwarded-for',
  trustProxy: readonly string[] = proxies,
) {
  const clients = openClientResolver({ trustProxy, trustProxyHeader });
  return clients.resolve({ socket: { remoteAddress: peer }, headers }).address;
}

const allHeaders = {
  'x-forwarded-for': '203.0.113.7',
  forwarded: 'for=203.0.113.8',
  'x-real-ip': '203.0.113.9',
};

describe('a peer that is not a trusted proxy is the client, for any headers', () => {
  test.each(forwardingHeaders)('%s', (header) => {
    for (const peer of ['198.51.100.1', '2001:db8:bb::1']) {
      expect(addressAt(peer, allHeaders, header)).toBe(peer);
    }
    expect(addressAt('127.0.0.1', allHeaders, header, [])).toBe('127.0.0.1');
  });
});

describe('only the configured header is read', () => {
  test.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', '203.0.113.8'],
    ['x-real-ip', '203.0.113.9'],
  ] as const)('%s', (header, client) => {
    expect(addressAt('127.0.0.1', allHeaders, header)).toBe(client);
    const otherHeaders = { ...allHeaders, [header]: undefined };
    expect(addressAt('127.0.0.1', otherHeaders, header)).toBe('127.0.0.1');
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
    expect(addressAt('127.0.0.1', { 'x-forwarded-for': header })).toBe(client);
  });

  test('accepts a proxy with an IPv4-mapped address', () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect(addressAt('::ffff:127.0.0.1', headers)).toBe('203.0.113.7');
  });

  test('combines separate header lines into one list', () => {
    const headers = { 'x-forwarded-for': ['1.1.1.1', '203.0.113.7, 10.1.1.1'] };
    expect(addressAt('127.0.0.1', headers)).toBe('203.0.113.7');
  });
});

describe('X-Real-IP behind a trusted proxy', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' [2001:db8::1]:80 ', '2001:db8::1'],
    ['10.5.5.5', '10.5.5.5'],
    ['1.1.1.1, 203.0.113.7', '127.0.0.1'],
    ['rubbish', '127.0.0.1'],
  ])('%j is from %s', (header, client) => {
    expect(addressAt('127.0.0.1', { 'x-real-ip': header }, 'x-real-ip')).toBe(client);
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
  ])('%s is from %s', (forwarded, client) => {
    expect(addressAt('127.0.0.1', { forwarded }, 'forwarded')).toBe(client);
  });
});

test('text before the hop of the proxy never changes the address', () => {
  const seed = proofSeed();
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
      const forwarded = `${text}, for=203.0.113.7`;
      const headers = { 'x-forwarded-for': `${text}, 203.0.113.7` };
      expect(addressAt('127.0.0.1', headers)).toBe('203.0.113.7');
      expect(addressAt('127.0.0.1', { forwarded }, 'forwarded')).toBe('203.0.113.7');
    }),
    { seed, numRuns: 2_000 },
  );
});

test.each([
  'for="1.1.1.1, for=203.0.113.7',
  'for="1.1.1.1, for="203.0.113.7:80"',
  String.raw`for="\, for="203.0.113.7:80";by="10.0.0.1"`,
  String.raw`for="a\", for=203.0.113.7`,
])('an unclosed quote does not hide the proxy’s hop: %s', (forwarded) => {
  expect(addressAt('127.0.0.1', { forwarded }, 'forwarded')).toBe('203.0.113.7');
});

test('a comma within a quoted string does not separate hops', () => {
  expect(readHops('forwarded', 'for="a, b"; by=c, for=d')).toEqual(['a, b', 'd']);
});

test('a Fault names the setting that contains an invalid network', () => {
  const open = () => openClientResolver({ trustProxy: ['10.0.0.0/99'] });
  expect(open).toThrow(Fault);
  expect(open).toThrow('TRUST_PROXY: "10.0.0.0/99"');
  const blockedNetworks = ['example'];
  const openBlocked = () => openClientResolver({ trustProxy: [], blockedNetworks });
  expect(openBlocked).toThrow('blocked.networks: "example"');
});

test('recognizes a blocked network behind a proxy; an IPv6 client counts by its /64', () => {
  const clients = openClientResolver({
    trustProxy: ['loopback'],
    blockedNetworks: ['203.0.113.0/24'],
  });
  const clientAt = (address: string) =>
    clients.resolve({
      socket: { remoteAddress: '127.0.0.1' },
      headers: { 'x-forwarded-for': address },
    });
  expect(clientAt('203.0.113.9').isBlocked).toBe(true);
  expect(clientAt('::ffff:203.0.113.9').isBlocked).toBe(true);
  expect(clientAt('2001:db8:1:2:3::4')).toEqual({
    address: '2001:db8:1:2:3::4',
    key: '2001:db8:1:2::/64',
    isBlocked: false,
    isProxied: true,
  });
});
