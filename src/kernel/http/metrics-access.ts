// Who may read /metrics, on every port: this machine itself, networks that the configuration names,
// and whoever has the token. A request that came through a proxy is judged by where it came from.
import { createHash, timingSafeEqual } from 'node:crypto';
import { plainAddress } from '../client-address/address.ts';
import { clientAddresses } from '../client-address/client-address.ts';
import { loopback, readNetworks } from '../client-address/networks.ts';

export type MetricsRule = {
  /** Networks, as `readNetworks` reads them. */
  readonly allow: readonly string[];
  readonly token?: string | undefined;
  readonly trustProxy: readonly string[];
};

/** A request, as far as it matters here (`node:http` IncomingMessage). */
export type MetricsRequest = {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly forwarded?: string | undefined;
    readonly 'x-forwarded-for'?: string | string[] | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
};

/** Any of these: somebody asks through a proxy, and the peer is not who asks. */
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** Throws a Fault that names a network it cannot read. */
export function openMetricsAccess(rule: MetricsRule): (request: MetricsRequest) => boolean {
  const allowed = readNetworks(rule.allow, 'metrics.allow');
  const trusted = readNetworks(rule.trustProxy, 'TRUST_PROXY');
  const isNear = ({ socket, headers }: MetricsRequest) => {
    const peer = plainAddress(socket.remoteAddress ?? '') ?? '';
    const isForwarded = forwarding.some((name) => headers[name] !== undefined);
    if (!isForwarded) return loopback.has(peer) || allowed.has(peer);
    return trusted.has(peer) && clientAddresses(peer, headers, trusted).every(allowed.has);
  };
  const { token } = rule;
  if (token === undefined) return isNear;
  const expected = digest(token);
  return (request) => {
    const [, given = ''] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Digests, so that both are of one length and the time taken says nothing about the token.
    return timingSafeEqual(digest(given), expected) || isNear(request);
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();
