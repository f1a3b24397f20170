// Tests whether an address belongs to a list of networks. Operators write `10.0.0.0/8`,
// `2001:db8::/32`, one address, or the names `loopback`, `linklocal`, `uniquelocal`.
import { BlockList, isIP, isIPv4 } from 'node:net';
import { Fault } from '../errors/fault.ts';

export type Networks = {
  /** `address`: an IPv4 or IPv6 literal as `normalizeAddress` returns it. */
  has(address: string): boolean;
};

// The names that reverse proxies' documentation uses (RFC 1122, 3927, 4291, 1918, 4193).
const networkNames: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export const loopback = readNetworks(['loopback'], 'loopback');

/** Throws a Fault that names the invalid entry. `settingName` appears in its message. */
export function readNetworks(entries: readonly string[], settingName: string): Networks {
  const list = new BlockList();
  for (const entry of entries.flatMap((text) => networkNames[text.trim()] ?? [text.trim()])) {
    if (!addEntry(list, entry)) {
      const names = Object.keys(networkNames).join(', ');
      throw new Fault(
        'invalid_request',
        `${settingName}: "${entry}" is neither an address nor address/prefix nor one of ${names}.`,
      );
    }
  }
  // Every request runs this check, and most installations have no trusted proxy.
  if (entries.length === 0) return { has: () => false };
  return {
    has: (address) => {
      const family = isIP(address);
      return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

function addEntry(list: BlockList, entry: string): boolean {
  const [address = '', prefix, ...extraParts] = entry.split('/');
  if (isIP(address) === 0 || extraParts.length > 0) return false;
  const [family, bits] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return false;
  list.addSubnet(address, Number(prefix), family);
  return true;
}
