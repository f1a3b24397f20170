// With `network.resolve: "there"` a proxy resolves names, so this process cannot check addresses.
// The start fails if a proxy connects to metadata or loopback addresses.
import type { Config } from '../config.ts';
import { Fault } from '../kernel/errors/fault.ts';
import { type EgressProxy, openTunnel, parseEgressProxy } from '../kernel/net/egress-proxy.ts';
import type { World } from '../kernel/world.ts';

/** The metadata service of clouds, and the loopback addresses of the proxy's machine. */
const forbiddenHosts = ['169.254.169.254', '127.0.0.1', 'localhost'] as const;
const RESPONSE_TIMEOUT_MS = 2_000;

export async function refuseOpenProxies({ file }: Config, world: World): Promise<void> {
  const { proxy, proxies, resolve } = file.network;
  if (resolve === 'here') return;
  const namedProxies = [
    ...(proxy === undefined ? [] : [['default', proxy]]),
    ...Object.entries(proxies),
  ];
  for (const [name = '', address = ''] of namedProxies) {
    await refuseOpenProxy(world, parseEgressProxy(name, address, resolve));
  }
}

async function refuseOpenProxy(world: World, proxy: EgressProxy): Promise<void> {
  const reachableHosts = await Promise.all(
    forbiddenHosts.map(async (host) => ((await canReach(world, proxy, host)) ? host : null)),
  );
  const openHosts = reachableHosts.filter((host) => host !== null);
  if (openHosts.length === 0) return;
  const problem = `connects to ${openHosts.join(', ')}. Close private addresses in the proxy`;
  throw new Fault(
    'invalid_request',
    `Proxy ${proxy.name} ${problem}, or set network.resolve to here.`,
  );
}

/** Whether a server at this address responds through the proxy. */
async function canReach({ clock }: World, proxy: EgressProxy, host: string): Promise<boolean> {
  const timeout = new AbortController();
  clock.sleep(RESPONSE_TIMEOUT_MS, timeout.signal).then(
    () => timeout.abort(),
    () => {},
  );
  try {
    const socket = await openTunnel(proxy, { host, port: 80 }, timeout.signal);
    return await new Promise<boolean>((resolve) => {
      const finish = (result: boolean) => {
        socket.destroy();
        resolve(result);
      };
      timeout.signal.addEventListener('abort', () => finish(false), { once: true });
      socket.once('data', () => finish(true)).once('error', () => finish(false));
      socket.once('close', () => finish(false));
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
  } catch {
    return false;
  } finally {
    timeout.abort();
  }
}
