// Checks the access to /metrics on every port. Loopback, configured networks and requests with the
// token are allowed. For a proxied request, the address of its client counts.
import { createHash, timingSafeEqual } from 'node:crypto';
import { normalizeAddress } from '../client-address/address.ts';
import type { ClientResolver } from '../client-address/client-address.ts';
import { loopback, readNetworks } from '../client-address/networks.ts';

export type MetricsRule = {
  /** Networks, as `readNetworks` reads them. */
  readonly allow: readonly string[];
  readonly token?: string | undefined;
  readonly clients: ClientResolver;
};

/** The part of `node:http` IncomingMessage that this check reads. */
export type MetricsRequest = {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly host?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
};

/** Any of these headers means that the request came through a proxy. */
const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** Throws a Fault that names an invalid network. */
export function openMetricsAccess(rule: MetricsRule): (request: MetricsRequest) => boolean {
  const allowedNetworks = readNetworks(rule.allow, 'metrics.allow');
  const isAllowedClient = (request: MetricsRequest) => {
    const { socket, headers } = request;
    const peerAddress = normalizeAddress(socket.remoteAddress ?? '') ?? '';
    const isForwarded = proxyHeaders.some((name) => headers[name] !== undefined);
    if (!isForwarded)
      return (
        allowedNetworks.has(peerAddress) || (loopback.has(peerAddress) && isLocalName(headers.host))
      );
    const { isProxied, address } = rule.clients.resolve(request);
    return isProxied && allowedNetworks.has(address);
  };
  const { token } = rule;
  if (token === undefined) return isAllowedClient;
  const expectedDigest = digestOf(token);
  return (request) => {
    const [, receivedToken = ''] =
      /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Digests have equal length, so the comparison time reveals nothing about the token.
    return timingSafeEqual(digestOf(receivedToken), expectedDigest) || isAllowedClient(request);
  };
}

/**
 * A foreign web page can send requests to this machine under its own host name (DNS rebinding).
 * Such a host name is never a local name.
 */
function isLocalName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || loopback.has(normalizeAddress(name) ?? '');
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
