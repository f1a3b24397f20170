// Private hosts that the operator allows. A host entry matches the name in the URL, so other names
// of the same address stay refused. A network entry matches addresses.
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

export type PrivateHosts = {
  /**
   * Whether requests may reach this host and port (a URL's `hostname`, and its port as a number).
   */
  isHostAllowed(hostname: string, port: number): boolean;
  /** Whether requests may reach this address, regardless of the name that resolved to it. */
  isAddressAllowed(address: string): boolean;
};

/**
 * Reads entries `name`, `address`, `host:port`, `[v6]:port` and `network/prefix` (as in the
 * configuration's `privateHosts`). Throws an Error that names the first invalid entry.
 */
export function parsePrivateHosts(entries: readonly string[]): PrivateHosts {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries.map((text) => text.trim())) {
    if (entry.includes('/')) addNetwork(networks, entry);
    else hosts.add(hostKey(entry));
  }
  return {
    isHostAllowed: (hostname, port) => {
      const name = plainHostname(hostname);
      return hosts.has(name) || hosts.has(`${name} ${port}`);
    },
    isAddressAllowed: (address) => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
  };
}

/** A URL's hostname without the brackets of IPv6 and without a final dot. */
export function plainHostname(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function hostKey(entry: string): string {
  const [, host = '', port] = isIPv6(entry)
    ? [entry, `[${entry}]`]
    : (/^(.+?)(?::(\d{1,5}))?$/.exec(entry) ?? []);
  // The URL parser normalizes names and addresses in the same way as for requests.
  const url = URL.parse(`http://${host}/`);
  const isHostOnly = url !== null && url.port === '' && url.username === '' && url.pathname === '/';
  if (!isHostOnly || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
    throw new Error(`privateHosts: cannot read "${entry}" as host, host:port or network/prefix`);
  }
  return port ? `${plainHostname(url.hostname)} ${Number(port)}` : plainHostname(url.hostname);
}

function addNetwork(networks: BlockList, entry: string): void {
  const [network = '', prefix = ''] = entry.split('/', 2);
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(network) ? 32 : 128);
  if (isIP(network) === 0 || !isPrefix || entry.split('/').length > 2) {
    throw new Error(`privateHosts: cannot read "${entry}" as network/prefix`);
  }
  networks.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
}
