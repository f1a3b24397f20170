// Whether only this machine can reach the installation. A reverse proxy on the same machine keeps
// HOST on loopback, so a public URL and TRUST_PROXY count as well.
import type { Config } from '../../config.ts';
import { plainAddress } from '../../kernel/client-address/address.ts';
import { loopback } from '../../kernel/client-address/networks.ts';
import { hostInUrl } from './run.ts';

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

/**
 * Plain http addresses that other machines can reach. Without a public URL a service is reachable
 * at its HOST.
 */
export function publicHttpUrls(config: ReachableConfig): readonly string[] {
  const { host, radarUrl, gatewayUrl, relayUrl } = config;
  const own = `http://${hostInUrl(host)}`;
  const all = [radarUrl, gatewayUrl, relayUrl].map((url) => url ?? own);
  return [...new Set(all)].filter(
    (url) => url.startsWith('http:') && !isLoopbackName(new URL(url).hostname),
  );
}

function isLoopbackName(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return isLocal || loopback.has(plainAddress(name) ?? '');
}
