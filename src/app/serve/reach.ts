// Decides whether only this machine can reach the installation. A reverse proxy on the same machine
// keeps HOST on loopback, so a public URL and TRUST_PROXY count as well.
import type { Config } from '../../config.ts';
import { normalizeAddress } from '../../kernel/client-address/address.ts';
import { loopback } from '../../kernel/client-address/networks.ts';
import { hostInUrl } from './run.ts';

export type ReachableConfig = Pick<
  Config,
  'host' | 'trustProxy' | 'radarUrl' | 'gatewayUrl' | 'relayUrl'
> & { readonly file: Pick<Config['file'], 'admin'> };

/** The public addresses that are configured; the admin areas may have their own. */
const publicUrls = ({ radarUrl, gatewayUrl, relayUrl, file }: ReachableConfig) =>
  [radarUrl, gatewayUrl, relayUrl, file.admin.radarUrl, file.admin.gatewayUrl].filter(
    (url) => url !== null && url !== undefined,
  );

export function isLocalOnly(config: ReachableConfig): boolean {
  const { host, trustProxy } = config;
  const hosts = [host, ...publicUrls(config).map((url) => new URL(url).hostname)];
  return trustProxy.length === 0 && hosts.every(isLoopbackName);
}

/**
 * Plain http addresses that other machines can reach. Without a public URL a service is reachable
 * at its HOST.
 */
export function publicHttpUrls(config: ReachableConfig): readonly string[] {
  const { host, radarUrl, gatewayUrl, relayUrl } = config;
  const localUrl = `http://${hostInUrl(host)}`;
  const hasServiceWithoutUrl = [radarUrl, gatewayUrl, relayUrl].includes(null);
  const serviceUrls = [...(hasServiceWithoutUrl ? [localUrl] : []), ...publicUrls(config)];
  return [...new Set(serviceUrls)].filter(
    (url) => url.startsWith('http:') && !isLoopbackName(new URL(url).hostname),
  );
}

function isLoopbackName(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return isLocal || loopback.has(normalizeAddress(name) ?? '');
}
