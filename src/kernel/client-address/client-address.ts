// Who asks, by address. A forwarding header is believed only as far as trusted proxies wrote it:
// from the socket's peer leftwards, one hop at a time, up to the first that is not one of them.
import { plainAddress } from './address.ts';
import { type ForwardingHeaders, hopsOfForwarded, hopsOfXForwardedFor } from './forwarded.ts';
import type { Networks } from './networks.ts';

/**
 * The addresses that count as the client: the peer itself unless it is a trusted proxy. Two of them
 * when both headers speak and differ: one was written by the proxy and the other may have been
 * passed on from the client, and nothing says which, so a rule must hold for both.
 */
export function clientAddresses(
  peer: string,
  headers: ForwardingHeaders,
  trusted: Networks,
): readonly string[] {
  const nearest = plainAddress(peer) ?? peer;
  if (!trusted.has(nearest)) return [nearest];
  const { forwarded, 'x-forwarded-for': xForwardedFor } = headers;
  const found = [
    ...(xForwardedFor === undefined ? [] : [hopsOfXForwardedFor(xForwardedFor)]),
    ...(forwarded === undefined ? [] : [hopsOfForwarded(forwarded)]),
  ].map((hops) => walk(nearest, hops, trusted));
  // A walk that ends at a proxy of ours has found no client: the other header may know more.
  const clients = found.filter((address) => !trusted.has(address));
  return clients.length > 0 ? [...new Set(clients)] : [found[0] ?? nearest];
}

/** The first address that is no trusted proxy; where one cannot be read, the hop that told it. */
function walk(peer: string, hops: readonly string[], trusted: Networks): string {
  let believed = peer;
  for (const hop of hops.toReversed()) {
    if (hop === '') continue;
    const address = plainAddress(hop);
    if (address === null) return believed;
    believed = address;
    if (!trusted.has(address)) return believed;
  }
  return believed;
}
