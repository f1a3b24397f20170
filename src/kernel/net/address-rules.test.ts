import { describe, expect, test } from 'vitest';
import { findRefusal } from './address-rules.ts';

const refusedAddresses: readonly (readonly [address: string, why: string])[] = [
  ['0.0.0.0', 'this network (RFC 791, section 3.2)'],
  ['0.255.255.255', 'this network (RFC 791, section 3.2)'],
  ['10.0.0.1', 'private use (RFC 1918)'],
  ['10.255.255.255', 'private use (RFC 1918)'],
  ['100.64.0.0', 'shared address space (CGNAT) (RFC 6598)'],
  ['100.100.100.200', 'shared address space (CGNAT) (RFC 6598)'],
  ['100.127.255.255', 'shared address space (CGNAT) (RFC 6598)'],
  ['127.0.0.1', 'loopback (RFC 1122, section 3.2.1.3)'],
  ['127.255.255.254', 'loopback (RFC 1122, section 3.2.1.3)'],
  ['169.254.169.254', 'link local (RFC 3927)'],
  ['172.16.0.1', 'private use (RFC 1918)'],
  ['172.31.255.255', 'private use (RFC 1918)'],
  ['192.0.0.192', 'IETF protocol assignments (RFC 6890, section 2.1)'],
  ['192.0.2.7', 'documentation (TEST-NET-1) (RFC 5737)'],
  ['192.88.99.1', 'deprecated 6to4 relay anycast (RFC 7526)'],
  ['192.168.1.1', 'private use (RFC 1918)'],
  ['198.18.0.1', 'benchmarking (RFC 2544)'],
  ['198.19.255.255', 'benchmarking (RFC 2544)'],
  ['198.51.100.1', 'documentation (TEST-NET-2) (RFC 5737)'],
  ['203.0.113.9', 'documentation (TEST-NET-3) (RFC 5737)'],
  ['224.0.0.1', 'multicast (RFC 5771)'],
  ['239.255.255.255', 'multicast (RFC 5771)'],
  ['240.0.0.1', 'reserved, limited broadcast included (RFC 1112, section 4; RFC 8190)'],
  ['255.255.255.255', 'reserved, limited broadcast included (RFC 1112, section 4; RFC 8190)'],
  ['168.63.129.16', 'cloud platform service (Azure virtual network documentation)'],
  ['::', 'unspecified (RFC 4291)'],
  ['::1', 'loopback (RFC 4291)'],
  ['0:0:0:0:0:0:0:1', 'loopback (RFC 4291)'],
  ['::8.8.8.8', 'IPv4-compatible (RFC 4291, section 2.5.5.1)'],
  ['::7f00:1', 'IPv4-compatible (RFC 4291, section 2.5.5.1)'],
  ['::ffff:127.0.0.1', 'IPv4-mapped (RFC 4291, section 2.5.5.2)'],
  ['::ffff:808:808', 'IPv4-mapped (RFC 4291, section 2.5.5.2)'],
  ['::FFFF:10.0.0.1', 'IPv4-mapped (RFC 4291, section 2.5.5.2)'],
  ['::ffff:0:7f00:1', 'IPv4-translated (RFC 2765)'],
  ['64:ff9b::7f00:1', 'NAT64 (RFC 6052)'],
  ['64:ff9b::8.8.8.8', 'NAT64 (RFC 6052)'],
  ['64:ff9b:1::1', 'local-use NAT64 (RFC 8215)'],
  ['100::1', 'discard only (RFC 6666)'],
  ['100:0:0:1::1', 'dummy prefix (RFC 9780)'],
  ['2001::1', 'Teredo (RFC 4380)'],
  ['2001:0:53aa:64c::1', 'Teredo (RFC 4380)'],
  ['2001:2::1', 'benchmarking (RFC 5180)'],
  ['2001:10::1', 'IETF protocol assignments (RFC 2928)'],
  ['2001:1ff::1', 'IETF protocol assignments (RFC 2928)'],
  ['2001:db8::1', 'documentation (RFC 3849)'],
  ['2002:7f00:1::', '6to4 (RFC 3056)'],
  ['2002:808:808::1', '6to4 (RFC 3056)'],
  ['3fff:fff::1', 'documentation (RFC 9637)'],
  ['5f00::1', 'segment routing (SRv6) SIDs (RFC 9602)'],
  ['fc00::1', 'unique local (RFC 4193)'],
  ['fd00:ec2::254', 'unique local (RFC 4193)'],
  ['fe80::1', 'link local (RFC 4291)'],
  ['fe80::1%eth0', 'link local (RFC 4291)'],
  ['febf::1', 'link local (RFC 4291)'],
  ['fec0::1', 'deprecated site local (RFC 3879)'],
  ['ff02::1', 'multicast (RFC 4291)'],
  ['4000::1', 'not global unicast (RFC 4291)'],
  ['1::1', 'not global unicast (RFC 4291)'],
  ['localhost', 'not an address'],
  ['127.1', 'not an address'],
  ['', 'not an address'],
];

const publicAddresses: readonly string[] = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ...['198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.17'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2003::1'],
  ...['2606:4700:4700::1111', '2a00:1450:4001::1', '3ffe:ffff::1', '3fff:1000::1'],
];

describe('addresses', () => {
  test.each(refusedAddresses)('%s is refused: %s', (address, reason) => {
    expect(findRefusal(address)).toBe(reason);
  });

  test.each(publicAddresses)('%s is public', (address) => {
    expect(findRefusal(address)).toBeNull();
  });
});
