import { describe, expect, test } from 'vitest';
import { parsePrivateHosts } from './private-hosts.ts';

describe('a private host is permitted as configured', () => {
  test.each<readonly [entry: string, hostname: string, port: number, isOpen: boolean]>([
    ['intranet.example', 'intranet.example', 80, true],
    ['intranet.example', 'intranet.example.', 8443, true],
    ['Intranet.Example.', 'intranet.example', 80, true],
    ['intranet.example', 'www.intranet.example', 80, false],
    ['intranet.example:8080', 'intranet.example', 8080, true],
    ['intranet.example:8080', 'intranet.example', 80, false],
    ['intranet.example:80', 'intranet.example', 80, true],
    ['127.0.0.1', '127.0.0.1', 4000, true],
    ['127.1', '127.0.0.1', 4000, true],
    ['127.0.0.1:4000', '127.0.0.1', 4001, false],
    ['127.0.0.1', 'localhost', 4000, false],
    ['::1', '[::1]', 80, true],
    ['[::1]', '[::1]', 80, true],
    ['[::1]:8080', '[::1]', 8080, true],
    ['[::1]:8080', '[::1]', 80, false],
    ['中文.example', 'xn--fiq228c.example', 80, true],
  ])('the entry %s permits %s at port %i: %s', (entry, hostname, port, isOpen) => {
    const privateHosts = parsePrivateHosts([entry]);
    expect(privateHosts.isHostAllowed(hostname, port)).toBe(isOpen);
    expect(privateHosts.isAddressAllowed('127.0.0.1')).toBe(false);
  });
});

test('permits a private network by address for any name', () => {
  const privateHosts = parsePrivateHosts([' 10.1.0.0/16 ', 'fd00:1::/32', '192.168.0.9/32']);
  const addresses = [
    '10.1.2.3',
    '10.2.0.0',
    'fd00:1::9',
    'fd00:2::9',
    '192.168.0.9',
    '192.168.0.8',
  ];
  expect(addresses.map((address) => privateHosts.isAddressAllowed(address))).toEqual([
    ...[true, false, true, false, true, false],
  ]);
  expect(privateHosts.isHostAllowed('10.1.2.3', 80)).toBe(false);
});

test.each([
  ...['', 'a b', 'host:0', 'host:65536', 'host:x', 'user@host', 'http://host', 'host/path', '[::1'],
  ...['10.0.0.0/33', '10.0.0.0/', 'host/8', '::/129', '10.0.0.0/8/8', '::1]:80'],
])('names the invalid entry %j', (entry) => {
  expect(() => parsePrivateHosts(['good.example', entry])).toThrow(`"${entry}"`);
});
