// Pools the connections to one server. The pool opens a connection for each concurrent exchange and
// reuses the most recently used idle connection.
import { Connection, type Origin, type TlsTickets } from './connection.ts';

export type Connections = {
  /** Returns an idle connection, or a new connection. */
  acquire(): Connection;
  /** Always returns a new connection. */
  open(): Connection;
  /**
   * Takes back a connection whose response is complete. `keepAliveMs`: the server's keep-alive
   * time; null: not stated.
   */
  release(connection: Connection, keepAliveMs: number | null): void;
  /** Closes idle connections; others close after their exchanges. */
  close(): void;
};

const MAX_IDLE_CONNECTIONS = 256;
/**
 * The server's keep-alive time starts before its response arrives, so this client stops using the
 * connection a second earlier.
 */
const KEEP_ALIVE_MARGIN_MS = 1_000;

export function openConnections(origin: Origin, tickets: TlsTickets): Connections {
  const idleConnections: Connection[] = [];
  let isClosed = false;
  const removeIdle = (connection: Connection) => {
    const index = idleConnections.lastIndexOf(connection);
    if (index >= 0) idleConnections.splice(index, 1);
  };
  const open = () => new Connection(origin, tickets);
  return {
    open,
    acquire: () => {
      for (;;) {
        const connection = idleConnections.pop();
        if (connection === undefined) return open();
        if (connection.isClean && connection.idleUntil > performance.now()) return connection;
        connection.destroy();
      }
    },
    release: (connection, keepAliveMs) => {
      connection.isUsed = true;
      const isReusable = keepAliveMs === null || keepAliveMs > KEEP_ALIVE_MARGIN_MS;
      if (
        isClosed ||
        !isReusable ||
        !connection.isClean ||
        idleConnections.length >= MAX_IDLE_CONNECTIONS
      ) {
        connection.destroy();
        return;
      }
      if (keepAliveMs !== null)
        connection.idleUntil = performance.now() + keepAliveMs - KEEP_ALIVE_MARGIN_MS;
      connection.markIdle(() => removeIdle(connection));
      idleConnections.push(connection);
    },
    close: () => {
      isClosed = true;
      for (const connection of idleConnections.splice(0)) connection.destroy();
    },
  };
}
