// The first step of an orderly end. A proxy may be sending a request on a kept connection at the
// moment when the server closes it; such a request has no response. The server therefore refuses
// new connections first. The proxy then uses other servers, and idle connections can close.
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Refuses new connections; resolves when no connection is open. `Server.close` of HTTP would also
 * close idle ones at once.
 */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}
