// Resolves a host name, and checks that connections to its addresses are allowed. One refused
// address refuses the name, because only an attack mixes public and private addresses.
import dns from 'node:dns/promises';
import { isIP } from 'node:net';
import { messageOf } from '../errors/fault.ts';
import { findRefusal } from './address-rules.ts';
import { type PrivateHosts, plainHostname } from './private-hosts.ts';

/** All addresses of a name, in the order of connection attempts; rejects when there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type ResolveResult =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | {
      readonly kind: 'failed';
      readonly reason: 'dns' | 'address_refused';
      readonly message: string;
    };

/** The system's resolver (getaddrinfo), including its hosts file and search domains. */
export const systemLookup: Lookup = async (hostname) =>
  (await dns.lookup(hostname, { all: true, order: 'verbatim' })).map((entry) => entry.address);

/**
 * `hostname` and `port` are parts of a URL; `hosts` are the private hosts that this request may
 * reach.
 */
export async function resolveHost(
  lookup: Lookup,
  hosts: PrivateHosts,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<ResolveResult> {
  const name = plainHostname(hostname);
  const addresses = isIP(name) ? [name] : await lookup(name).catch(messageOf);
  if (typeof addresses === 'string') return { kind: 'failed', reason: 'dns', message: addresses };
  if (addresses.length === 0) {
    return { kind: 'failed', reason: 'dns', message: `${name} has no address` };
  }
  if (hosts.isHostAllowed(name, port)) return { kind: 'addresses', addresses };
  for (const address of addresses) {
    const refusal = findRefusal(address);
    if (refusal === null || hosts.isAddressAllowed(address)) continue;
    const message = `${name === address ? name : `${name} is ${address}`}: ${refusal}`;
    return { kind: 'failed', reason: 'address_refused', message };
  }
  return { kind: 'addresses', addresses };
}
