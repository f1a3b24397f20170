// Sends and receives notifications about commits (LISTEN/NOTIFY). A notification can be lost with
// its connection. Therefore callers also poll, and `onNotice` is called after each reconnect.

import { sql } from 'kysely';
import pg from 'pg';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { connectionOf, sqlOf } from './db.ts';

const CONNECT_MS = 1_500;
/** Pause after a lost connection. */
const RECONNECT_MS = 500;

export type Listener = { close(): Promise<void> };

/** Runs in the caller's transaction. PostgreSQL sends the notification at commit. */
export async function notify(tx: Db, channel: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, '')`.execute(sqlOf(tx));
}

/** Calls `onNotice` after every notification and after every (re)connection, until closed. */
export function listen(
  world: World,
  db: Db,
  { channel, applicationName }: { readonly channel: string; readonly applicationName: string },
  onNotice: () => void,
): Listener {
  const stop = new AbortController();
  const listenLoop = (async () => {
    while (!stop.signal.aborted) {
      await listenOnce(
        { ...connectionOf(db), application_name: applicationName },
        channel,
        onNotice,
        stop.signal,
      ).catch((error) => world.log.debug({ error: messageOf(error), channel }, 'listening again'));
      await world.clock.sleep(RECONNECT_MS, stop.signal).catch(() => {});
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await listenLoop;
    },
  };
}

async function listenOnce(
  connection: pg.ClientConfig,
  channel: string,
  onNotice: () => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  const connectionEnd = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  connectionEnd.catch(() => {});
  try {
    await client.connect();
    client.on('notification', onNotice);
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    onNotice();
    await connectionEnd;
  } finally {
    await client.end().catch(() => {});
  }
}
