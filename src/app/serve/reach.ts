// Whether an installation serves this machine alone. A reverse proxy on the same machine keeps HOST
// on loopback, so a public URL and TRUST_PROXY count as well.
import type { Config } from '../../config.ts';
import { plainAddress } from '../../kernel/client-address/address.ts';
import { loopback } from '../../kernel/client-address/networks.ts';

export type ReachableConfig = Pick<
  Config,
  'host' | 'trustProxy' | 'radarUrl' | 'gatewayUrl' | 'relayUrl'
>;

export function isReachedFromHereOnly(config: ReachableConfig): boolean {
  const { host, trustProxy, radarUrl, gatewayUrl, relayUrl } = config;
  const urls = [radarUrl, gatewayUrl, relayUrl].filter((url) => url !== null);
  const hosts = [host, ...urls.map((url) => new URL(url).hostname)];
  return trustProxy.length === 0 && hosts.every(isLoopbackName);
}

/** Cookies of a service behind plain http are neither Secure nor bound to the host. */
export function publicHttpUrls(config: ReachableConfig): readonly string[] {
  return [config.radarUrl, config.gatewayUrl, config.relayUrl].filter(
    (url): url is string =>
      url !== null && url.startsWith('http:') && !isLoopbackName(new URL(url).hostname),
  );
}

function isLoopbackName(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return isLocal || loopback.has(plainAddress(name) ?? '');
}
