// Access to /metrics on every port. Loopback, configured networks and requests with the token are
// allowed. A proxied request counts with the address of its client.
import { createHash, timingSafeEqual } from 'node:crypto';
import { plainAddress } from '../client-address/address.ts';
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
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** Throws a Fault that names an invalid network. */
export function openMetricsAccess(rule: MetricsRule): (request: MetricsRequest) => boolean {
  const allowed = readNetworks(rule.allow, 'metrics.allow');
  const isNear = (request: MetricsRequest) => {
    const { socket, headers } = request;
    const peer = plainAddress(socket.remoteAddress ?? '') ?? '';
    const isForwarded = forwarding.some((name) => headers[name] !== undefined);
    if (!isForwarded) return allowed.has(peer) || (loopback.has(peer) && isLocalName(headers.host));
    const { isProxied, address } = rule.clients.resolve(request);
    return isProxied && allowed.has(address);
  };
  const { token } = rule;
  if (token === undefined) return isNear;
  const expected = digest(token);
  return (request) => {
    const [, token = ''] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Digests have equal length, so the comparison time reveals nothing about the token.
    return timingSafeEqual(digest(token), expected) || isNear(request);
  };
}

/**
 * A foreign web page can send requests to this machine under its own host name (DNS rebinding).
 * Such a host name is never a local name.
 */
function isLocalName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || loopback.has(plainAddress(name) ?? '');
}

const digest = (text: string) => createHash('sha256').update(text).digest();
