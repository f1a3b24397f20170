import { describe, expect, test } from 'vitest';
import { Fault } from '../errors/fault.ts';
import { readNetworks } from './networks.ts';

describe('networks in a setting', () => {
  const networks = readNetworks(
    ['10.0.0.0/8', ' 192.0.2.7 ', '2001:db8::/32', '2001:db9::1', 'loopback'],
    'metrics.allow',
  );
  test.each([
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', true],
    ['2001:db9::2', false],
    ['127.8.8.8', true],
    ['::1', true],
    ['', false],
    ['not an address', false],
  ])('contain %s: %s', (address, expected) => {
    expect(networks.has(address)).toBe(expected);
  });

  test('contain no address when the list is empty', () => {
    expect(readNetworks([], 'TRUST_PROXY').has('127.0.0.1')).toBe(false);
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::/129',
    '::/1/2',
    'proxy.example',
    '',
    '01.2.3.4',
    '10.0.0.0/-1',
  ])('with the invalid entry %j throw a Fault that names the entry', (entry) => {
    const readInvalid = () => readNetworks(['10.0.0.0/8', entry], 'TRUST_PROXY');
    expect(readInvalid).toThrow(Fault);
    expect(readInvalid).toThrow(`TRUST_PROXY: "${entry}" is neither`);
  });
});
