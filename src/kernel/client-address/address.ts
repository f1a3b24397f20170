// Normalizes addresses, and derives the key that rate limits count by. The key is an IPv4 address
// or an IPv6 /64, because a single customer receives a whole /64.
import { isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Normalizes an address from a header or a socket (`203.0.113.7:4711`, `[2001:db8::1]:80`,
 * `::ffff:10.0.0.1`, `fe80::1%eth0`). A mapped address becomes IPv4. Other text returns null.
 */
export function normalizeAddress(text: string): string | null {
  const trimmedText = text.trim();
  if (isIPv4(trimmedText)) return trimmedText;
  const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(trimmedText);
  const address = (withPort?.[1] ?? withPort?.[2] ?? trimmedText).replace(/%.*$/s, '');
  if (isIP(address) !== 6) return isIPv4(address) ? address : null;
  const canonical = canonicalIpv6(address);
  return unmapAddress(groupsOf(canonical)) ?? canonical;
}

/** The key of the client at a normalized address. */
export function clientKeyOf(address: string): string {
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/**
 * Formats an address by RFC 5952: short and in lower case. An embedded IPv4 address is in
 * hexadecimal, because the URL parser writes it so.
 */
function canonicalIpv6(address: string): string {
  return URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? address;
}

/** The eight groups of a canonical IPv6 literal. */
function groupsOf(canonical: string): readonly string[] {
  const [head = '', tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  if (tail === undefined) return [...head];
  return [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
}

/** RFC 4291, 2.5.5.2: the IPv4 address in `::ffff:0:0/96`; null outside of it. */
function unmapAddress(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null;
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
  // Each group has 16 bits, which are two bytes of the IPv4 address.
  return numbers.flatMap((group) => [group >> 8, group & 255]).join('.');
}
