// Limits the open connections of one client, so that one address cannot use all of them. Proxies
// and this machine are exempt, because their connections belong to many clients.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientResolver } from '../client-address/client-address.ts';
import { loopback } from '../client-address/networks.ts';

const CONNECTIONS_MAX = 256;

/** Closes connections above the limit immediately. Call it before the server listens. */
export function limitConnections(
  server: Server,
  clients: ClientResolver,
  { max = CONNECTIONS_MAX, isExempt = loopback.has } = {},
): void {
  const countByClient = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { key, address, isProxied } = clients.resolve({ socket, headers: {} });
    if (isProxied || isExempt(address)) return;
    const count = (countByClient.get(key) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    countByClient.set(key, count);
    socket.once('close', () => {
      const remainingCount = (countByClient.get(key) ?? 1) - 1;
      if (remainingCount === 0) countByClient.delete(key);
      else countByClient.set(key, remainingCount);
    });
  });
}
