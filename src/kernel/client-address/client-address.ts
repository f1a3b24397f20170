// Resolves the client of a request for the limiters, logs and rules of every port. Only one header
// is read, and only the part that trusted proxies wrote. The search starts at the socket's peer and
// ends at the first address that is not a trusted proxy.

import { openBoundedCache } from '../concurrency/bounded-cache.ts';
import { Fault } from '../errors/fault.ts';
import { clientKeyOf, normalizeAddress } from './address.ts';
import { type ForwardingHeader, readHops } from './forwarded.ts';
import { readNetworks } from './networks.ts';

export type ClientRules = {
  /** Networks of proxies whose forwarding header is read. */
  readonly trustProxy: readonly string[];
  /** The header that these proxies write; any other header may come from the client. */
  readonly trustProxyHeader?: ForwardingHeader;
  /** Networks whose requests every port refuses. */
  readonly blockedNetworks?: readonly string[];
};

/** A request as Node has read it (`node:http` IncomingMessage). */
export type ClientRequest = {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type ClientIdentity = {
  /** An address literal; empty when the socket is closed already. */
  readonly address: string;
  /** The key of rate limits: an IPv4 address, or an IPv6 /64. */
  readonly key: string;
  readonly isBlocked: boolean;
  /** The socket's peer is a trusted proxy. */
  readonly isProxied: boolean;
};

export type ClientResolver = {
  resolve(request: ClientRequest): ClientIdentity;
};

const MAX_CACHED_CLIENTS = 100_000;
/** Characters of a peer's address and header together; a longer pair is not cached. */
const MAX_CACHED_KEY_LENGTH = 200;

/** Throws a Fault that names an invalid network in `rules`. */
export function openClientResolver(rules: ClientRules): ClientResolver {
  const { trustProxyHeader: header = 'x-forwarded-for' } = rules;
  const trustedNetworks = readNetworks(rules.trustProxy, 'TRUST_PROXY');
  const blockedNetworks = readNetworks(rules.blockedNetworks ?? [], 'blocked.networks');
  const hasProxies = rules.trustProxy.length > 0;
  const identities = openBoundedCache<ClientIdentity>(MAX_CACHED_CLIENTS);

  const identify = (peer: string, value: string): ClientIdentity => {
    const nearest = normalizeAddress(peer) ?? peer;
    const isProxied = trustedNetworks.has(nearest);
    const hops = isProxied && value !== '' ? readHops(header, value) : [];
    const address = findClient(nearest, hops, trustedNetworks.has);
    const isBlocked = blockedNetworks.has(address);
    return { address, key: clientKeyOf(address), isBlocked, isProxied };
  };

  return {
    resolve: ({ socket, headers }) => {
      const peer = socket.remoteAddress ?? '';
      const value = hasProxies ? joinHeader(headers[header]) : '';
      const cacheKey = `${peer} ${value}`;
      const cached = identities.get(cacheKey);
      if (cached !== undefined) return cached;
      const client = identify(peer, value);
      if (cacheKey.length <= MAX_CACHED_KEY_LENGTH) identities.set(cacheKey, client);
      return client;
    },
  };
}

/** The failure for a client whose network the operator has blocked. */
export const blockedClient = () =>
  new Fault('forbidden', 'The operator of this service has blocked this client.');

/** Several lines of one header are one list (RFC 9110, 5.3). */
const joinHeader = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(', ') ?? '');

/**
 * The first address that is not a trusted proxy, from the peer towards the client. At an unreadable
 * hop the search stops and returns the address before it.
 */
function findClient(
  peer: string,
  hops: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let found = peer;
  for (const hop of hops.toReversed()) {
    if (hop === '') continue;
    const address = normalizeAddress(hop);
    if (address === null) return found;
    found = address;
    if (!isTrusted(address)) return found;
  }
  return found;
}
