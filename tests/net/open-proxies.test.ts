// A proxy that resolves names is tested before the start. When it connects to metadata or loopback
// addresses, the start fails.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { refuseOpenProxies } from '../../src/app/refuse-open-proxies.ts';
import { readConfig } from '../../src/config.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { atEnd } from '../support/at-end.ts';
import { testWorld } from '../support/test-world.ts';

const world = { ...testWorld().world, clock: runningClock() };
const sockets = new Set<Socket>();

/** An HTTP proxy that can reach only this host. */
async function openProxy(reachableHost: string): Promise<number> {
  const proxy = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (request) => {
      if (!String(request).startsWith(`CONNECT ${reachableHost}:`)) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
}

const configWith = (port: number) => {
  const config = readConfig({}, {});
  const proxies = { office: `http://127.0.0.1:${port}` };
  const network = { ...config.file.network, resolve: 'there' as const, proxies };
  return { ...config, file: { ...config.file, network } };
};

test.each(['169.254.169.254', '127.0.0.1', 'localhost'])(
  'the start fails when a proxy connects to %s',
  async (host) => {
    const config = configWith(await openProxy(host));
    await expect(refuseOpenProxies(config, world)).rejects.toThrow(
      `Proxy office connects to ${host}. Close private addresses in the proxy`,
    );
  },
);

test('a proxy that refuses these addresses is used', async () => {
  const config = configWith(await openProxy('nothing.example'));
  await expect(refuseOpenProxies(config, world)).resolves.toBeUndefined();
});
