// Opens the ledger's own connection. It executes named prepared statements that return one text
// each, and reconnects after a failure. Failures are values: a refused statement had no effect, and
// a statement whose connection was lost may be committed.
import pg from 'pg';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { connectionOf } from '../platform/db.ts';
import { queryText } from './simple-query.ts';

export type StatementResult =
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'refused'; readonly error: string }
  /** `isSent`: the statement may be committed. Otherwise it never left this process. */
  | { readonly kind: 'disconnected'; readonly error: string; readonly isSent: boolean };

export type Statement = { readonly name: string; readonly text: string };

type Value = string | number | boolean | Buffer | null;

export type LedgerConnection = {
  /** Returns the first column of the first row. The caller executes one statement at a time. */
  execute(statement: Statement, values: readonly Value[]): Promise<StatementResult>;
  close(): Promise<void>;
};

/** Short, because a caller can retry. */
const CONNECT_MS = 1_500;
const RESPONSE_MS = 10_000;

/**
 * The server keeps the plans of the ledger's functions. Without these settings, a plan that was
 * made on an empty table scans the whole table when it is large. `synchronous_commit` keeps the
 * server's value, except that `off` becomes `on`: a commit must not be lost.
 */
const settings = `
  SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET plan_cache_mode = force_generic_plan; SET jit = off; SET statement_timeout = ${RESPONSE_MS};
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'`;

export function openLedgerConnection(log: Log, db: Db): LedgerConnection {
  let client: Promise<pg.Client> | null = null;
  const closeClient = async (broken: Promise<pg.Client>) => {
    if (client === broken) client = null;
    await broken.then((openClient) => openClient.end()).catch(() => {});
  };
  const ensureConnected = () => {
    if (client !== null) return client;
    // A lost client emits more than one error. The second error must not remove a newer client.
    const newClient = connect(log, db, () => {
      if (client === newClient) client = null;
    });
    client = newClient;
    return newClient;
  };
  return {
    execute: async ({ name, text }, values) => {
      const currentClient = ensureConnected();
      let openClient: pg.Client;
      try {
        openClient = await currentClient;
      } catch (error) {
        // Without a connection nothing was sent. The next statement reconnects.
        void closeClient(currentClient);
        return { kind: 'disconnected', error: messageOf(error), isSent: false };
      }
      try {
        return { kind: 'result', text: await queryText(openClient, { name, text }, values) };
      } catch (error) {
        if (isRefusal(error)) return { kind: 'refused', error: messageOf(error) };
        // Not awaited: `end()` can hang when the server does not respond.
        void closeClient(currentClient);
        return { kind: 'disconnected', error: messageOf(error), isSent: true };
      }
    },
    close: async () => {
      if (client !== null) await closeClient(client);
    },
  };
}

async function connect(log: Log, db: Db, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOf(db),
    application_name: 'radar ledger',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: RESPONSE_MS + 1_000,
    keepAlive: true,
  });
  client.on('error', (error) => {
    log.warn({ error: error.message }, 'ledger connection lost');
    onLost();
  });
  await client.connect();
  try {
    await client.query(settings);
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return client;
}

/**
 * Whether the server refused the statement, so it had no effect. The error classes 08 (connection),
 * 53 (resources) and 57P (shutdown of the server) do not prove that.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return !/^(08|57P|53)/.test(error.code);
}
