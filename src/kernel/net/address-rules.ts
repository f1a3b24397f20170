// Addresses that outgoing requests must not reach: addresses that the IANA special-purpose
// registries do not call globally reachable, and metadata addresses of cloud platforms.
// https://www.iana.org/assignments/iana-ipv4-special-registry
// https://www.iana.org/assignments/iana-ipv6-special-registry
import { BlockList, isIPv4, isIPv6 } from 'node:net';

type RefusedNetwork = readonly [network: string, prefix: number, name: string, source: string];

const refusedIpv4: readonly RefusedNetwork[] = [
  ['0.0.0.0', 8, 'this network', 'RFC 791, section 3.2'],
  ['10.0.0.0', 8, 'private use', 'RFC 1918'],
  ['100.64.0.0', 10, 'shared address space (CGNAT)', 'RFC 6598'],
  ['127.0.0.0', 8, 'loopback', 'RFC 1122, section 3.2.1.3'],
  ['169.254.0.0', 16, 'link local', 'RFC 3927'],
  ['172.16.0.0', 12, 'private use', 'RFC 1918'],
  // The anycast addresses 192.0.0.9 and 192.0.0.10 are globally reachable, but no publisher uses
  // them.
  ['192.0.0.0', 24, 'IETF protocol assignments', 'RFC 6890, section 2.1'],
  ['192.0.2.0', 24, 'documentation (TEST-NET-1)', 'RFC 5737'],
  ['192.88.99.0', 24, 'deprecated 6to4 relay anycast', 'RFC 7526'],
  ['192.168.0.0', 16, 'private use', 'RFC 1918'],
  ['198.18.0.0', 15, 'benchmarking', 'RFC 2544'],
  ['198.51.100.0', 24, 'documentation (TEST-NET-2)', 'RFC 5737'],
  ['203.0.113.0', 24, 'documentation (TEST-NET-3)', 'RFC 5737'],
  ['224.0.0.0', 4, 'multicast', 'RFC 5771'],
  ['240.0.0.0', 4, 'reserved, limited broadcast included', 'RFC 1112, section 4; RFC 8190'],
  // The registry lists this address as public, but on Azure it is the wire server of the host.
  ['168.63.129.16', 32, 'cloud platform service', 'Azure virtual network documentation'],
];

// Narrow networks come first, because the first match gives the reason.
const refusedIpv6: readonly RefusedNetwork[] = [
  ['::1', 128, 'loopback', 'RFC 4291'],
  ['::', 128, 'unspecified', 'RFC 4291'],
  ['::', 96, 'IPv4-compatible', 'RFC 4291, section 2.5.5.1'],
  ['::ffff:0:0', 96, 'IPv4-mapped', 'RFC 4291, section 2.5.5.2'],
  ['::ffff:0:0:0', 96, 'IPv4-translated', 'RFC 2765'],
  ['64:ff9b::', 96, 'NAT64', 'RFC 6052'],
  ['64:ff9b:1::', 48, 'local-use NAT64', 'RFC 8215'],
  ['100::', 64, 'discard only', 'RFC 6666'],
  ['100:0:0:1::', 64, 'dummy prefix', 'RFC 9780'],
  ['2001::', 32, 'Teredo', 'RFC 4380'],
  ['2001:2::', 48, 'benchmarking', 'RFC 5180'],
  ['2001:db8::', 32, 'documentation', 'RFC 3849'],
  ['2001::', 23, 'IETF protocol assignments', 'RFC 2928'],
  ['2002::', 16, '6to4', 'RFC 3056'],
  ['3fff::', 20, 'documentation', 'RFC 9637'],
  ['5f00::', 16, 'segment routing (SRv6) SIDs', 'RFC 9602'],
  ['fc00::', 7, 'unique local', 'RFC 4193'],
  ['fe80::', 10, 'link local', 'RFC 4291'],
  ['fec0::', 10, 'deprecated site local', 'RFC 3879'],
  ['ff00::', 8, 'multicast', 'RFC 4291'],
];

// IANA assigns global unicast addresses from 2000::/3 only (RFC 4291, section 2.4, and the
// ipv6-address-space registry). All other addresses are refused.
const globalUnicastIpv6 = listOf('2000::', 3, 'ipv6');

// One list per row and family. Node compares the two notations of an IPv4 address as equal, so a
// list with `::ffff:0:0/96` matches every IPv4 address.
const rowsIpv4 = refusedIpv4.map(rowOf('ipv4'));
const rowsIpv6 = refusedIpv6.map(rowOf('ipv6'));

/**
 * The reason for refusing `address` (an IPv4 or IPv6 literal without brackets), such as "loopback
 * (RFC 4291)". Null: an ordinary public address. Text that is no address is refused.
 */
export function findRefusal(address: string): string | null {
  const addressWithoutZone = address.replace(/%.*$/, '');
  if (isIPv4(addressWithoutZone))
    return rowsIpv4.find((row) => row.list.check(addressWithoutZone))?.reason ?? null;
  if (!isIPv6(addressWithoutZone)) return 'not an address';
  const reservedRow = rowsIpv6.find((row) => row.list.check(addressWithoutZone, 'ipv6'));
  if (reservedRow) return reservedRow.reason;
  return globalUnicastIpv6.check(addressWithoutZone, 'ipv6')
    ? null
    : 'not global unicast (RFC 4291)';
}

/** Whether a URL's host is a local name or not an ordinary public address. */
export function hasPrivateHost(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$|\.$/g, '') ?? '';
  if (/(?:^|\.)localhost$/i.test(host)) return true;
  return (isIPv4(host) || isIPv6(host)) && findRefusal(host) !== null;
}

function rowOf(family: 'ipv4' | 'ipv6') {
  return ([network, prefix, name, source]: RefusedNetwork) => ({
    list: listOf(network, prefix, family),
    reason: `${name} (${source})`,
  });
}

function listOf(network: string, prefix: number, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list;
}
