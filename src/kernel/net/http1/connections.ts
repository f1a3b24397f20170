// The connection pool of one server. It opens a connection for each concurrent exchange and reuses
// the most recently used idle one.
import { Connection, type Origin, type Tickets } from './connection.ts';

export type Connections = {
  /** An idle connection, or a new one. */
  acquire(): Connection;
  /** Always a new connection. */
  open(): Connection;
  /**
   * Returns a connection whose response is complete. `keptMs` is the server's keep-alive time;
   * null: not stated.
   */
  release(connection: Connection, keptMs: number | null): void;
  /** Closes idle connections; others close after their exchanges. */
  close(): void;
};

const IDLE_MAX = 256;
/** The server's keep-alive time began when it sent it, so it is shortened by a second. */
const MARGIN_MS = 1_000;

export function openConnections(origin: Origin, tickets: Tickets): Connections {
  const idle: Connection[] = [];
  let isClosed = false;
  const forget = (connection: Connection) => {
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
    release: (connection, keptMs) => {
      connection.isUsed = true;
      const isKept = keptMs === null || keptMs > MARGIN_MS;
      if (isClosed || !isKept || !connection.isClean || idle.length >= IDLE_MAX) {
        connection.destroy();
        return;
      }
      if (keptMs !== null) connection.idleUntil = performance.now() + keptMs - MARGIN_MS;
      connection.rest(() => forget(connection));
      idle.push(connection);
    },
    close: () => {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.destroy();
    },
  };
}
