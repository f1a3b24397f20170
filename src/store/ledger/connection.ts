// The ledger's own connection: prepared statements by name, one answer of text each, opened anew
// when it breaks. What went wrong is a value, because the two ways differ: a statement that was
// refused changed nothing, one whose connection went may have been committed.
import pg from 'pg';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Log } from '../../kernel/observability/log.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { connectionOf } from '../platform/db.ts';
import { queryText } from './simple-query.ts';

export type StatementResult =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'refused'; readonly error: string }
  /** `isAsked`: it may be committed; else it never left this process. */
  | { readonly kind: 'away'; readonly error: string; readonly isAsked: boolean };

export type Statement = { readonly name: string; readonly text: string };

type Value = string | number | boolean | Buffer | null;

export type LedgerConnection = {
  /** The first column of the first row. The caller asks one statement at a time. */
  execute(statement: Statement, values: readonly Value[]): Promise<StatementResult>;
  close(): Promise<void>;
};

/** A caller would rather hear "try again" than wait. */
const CONNECT_MS = 1_500;
const ANSWER_MS = 10_000;

/**
 * The statements run inside functions whose plans outlive the moment at which the tables were
 * small: without this, a plan made on an empty table reads all of a large one. What a commit waits
 * for is the server's own setting (`remote_apply` say), but never nothing.
 */
const settings = `
  SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET plan_cache_mode = force_generic_plan; SET jit = off; SET statement_timeout = ${ANSWER_MS};
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'`;

export function openLedgerConnection(log: Log, db: Db): LedgerConnection {
  let client: Promise<pg.Client> | null = null;
  const drop = async (broken: Promise<pg.Client>) => {
    if (client === broken) client = null;
    await broken.then((open) => open.end()).catch(() => {});
  };
  const connected = () => {
    if (client !== null) return client;
    // One that is lost says so more than once: by then the next may be open, which is kept.
    const opened = connect(log, db, () => {
      if (client === opened) client = null;
    });
    client = opened;
    return opened;
  };
  return {
    execute: async ({ name, text }, values) => {
      const used = connected();
      let open: pg.Client;
      try {
        open = await used;
      } catch (error) {
        // Whatever the server said: without a connection nothing was asked, and the next one tries.
        void drop(used);
        return { kind: 'away', error: messageOf(error), isAsked: false };
      }
      try {
        return { kind: 'answer', text: await queryText(open, { name, text }, values) };
      } catch (error) {
        if (isRefusal(error)) return { kind: 'refused', error: messageOf(error) };
        // Not awaited: a server that does not answer does not say good-bye either.
        void drop(used);
        return { kind: 'away', error: messageOf(error), isAsked: true };
      }
    },
    close: async () => {
      if (client !== null) await drop(client);
    },
  };
}

async function connect(log: Log, db: Db, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOf(db),
    application_name: 'radar ledger',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS + 1_000,
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

/** The server answered, and its answer was no: classes 08 and 57P are the connection's end. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return !/^(08|57P|53)/.test(error.code);
}
