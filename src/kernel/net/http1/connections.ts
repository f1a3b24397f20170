// Connections to one server: as many as there are exchanges at a time, kept for the next ones, the
// one that served last first.
import { Connection, type Origin, type Tickets } from './connection.ts';

export type Connections = {
  /** One that is idle, or a new one that is being made. */
  take(): Connection;
  /** A new one, whatever is idle. */
  open(): Connection;
  /** Its answer is whole. `keptMs`: for how long its server will keep it; null: it did not say. */
  giveBack(connection: Connection, keptMs: number | null): void;
  /** Lets go of idle ones; those in use end with their exchanges. */
  close(): void;
};

const IDLE_MAX = 256;
/** A server's word on how long it keeps a connection is a second older than it is. */
const MARGIN_MS = 1_000;

export function openConnections(origin: Origin, tickets: Tickets): Connections {
  const idle: Connection[] = [];
  let isClosed = false;
  const forget = (connection: Connection) => {
    const at = idle.lastIndexOf(connection);
    if (at >= 0) idle.splice(at, 1);
  };
  const open = () => new Connection(origin, tickets);
  return {
    open,
    take: () => {
      for (;;) {
        const connection = idle.pop();
        if (connection === undefined) return open();
        if (connection.isClean && connection.idleUntil > performance.now()) return connection;
        connection.destroy();
      }
    },
    giveBack: (connection, keptMs) => {
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
