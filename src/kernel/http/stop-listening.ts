// The first step of an orderly shutdown. When a server closes a reused connection, a proxy may be
// sending a request on it, and this request would have no response. The server therefore first
// refuses new connections. The proxy then uses other servers, and idle connections can close.
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Refuses new connections; resolves when no connection is open. `Server.close` of HTTP would also
 * close idle connections at once.
 */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}
