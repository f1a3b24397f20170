// The connection pool of one server. It opens a connection for each concurrent exchange and reuses
// the most recently used idle one.
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

const MAX_IDLE = 256;
/**
 * The server's keep-alive time starts before its response arrives, so it is shortened by a second.
 */
const KEEP_ALIVE_MARGIN_MS = 1_000;

export function openConnections(origin: Origin, tickets: TlsTickets): Connections {
  const idle: Connection[] = [];
  let isClosed = false;
  const removeIdle = (connection: Connection) => {
    const index = idle.lastIndexOf(connection);
    if (index >= 0) idle.splice(index, 1);
  };
  const open = () => new Connection(origin, tickets);
  return {
    open,
    acquire: () => {
      for (;;) {
        const connection = idle.pop();
        if (connection === undefined) return open();
        if (connection.isClean && connection.idleUntil > performance.now()) return connection;
        connection.destroy();
      }
    },
    release: (connection, keepAliveMs) => {
      connection.isUsed = true;
      const isReusable = keepAliveMs === null || keepAliveMs > KEEP_ALIVE_MARGIN_MS;
      if (isClosed || !isReusable || !connection.isClean || idle.length >= MAX_IDLE) {
        connection.destroy();
        return;
      }
      if (keepAliveMs !== null)
        connection.idleUntil = performance.now() + keepAliveMs - KEEP_ALIVE_MARGIN_MS;
      connection.markIdle(() => removeIdle(connection));
      idle.push(connection);
    },
    close: () => {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.destroy();
    },
  };
}
