// Runs work that streams whole tables or changes the schema, on a session of its own. Statements
// have no time limit, and the driver's client is available for COPY.
import pg from 'pg';
import type { Db } from '../../kernel/ports/db.ts';
import { connectionOf, inSnapshot, inTransaction, openDbOn } from './db.ts';

export type OwnTransaction = { readonly tx: Db; readonly client: pg.Client };

/**
 * One transaction on a session of its own. A failure closes the session, because an interrupted
 * COPY accepts no rollback.
 */
export async function inOwnTransaction<T>(
  db: Db,
  options: { readonly applicationName: string; readonly isSnapshot: boolean },
  work: (own: OwnTransaction) => Promise<T>,
): Promise<T> {
  return onOwnSession(db, options.applicationName, async (single, client) => {
    let failure: { readonly error: unknown } | null = null;
    const runGuarded = async (tx: Db) => {
      try {
        return await work({ tx, client });
      } catch (error) {
        failure = { error };
        await client.end().catch(() => {});
        throw error;
      }
    };
    try {
      return await (options.isSnapshot ? inSnapshot : inTransaction)(single, runGuarded);
    } catch (error) {
      // Throws the error of the work and not the error of the rollback.
      throw (failure as { readonly error: unknown } | null)?.error ?? error;
    }
  });
}

/** Runs any number of transactions on one session, one after the other. */
export async function onOwnSession<T>(
  db: Db,
  applicationName: string,
  work: (single: Db, client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = connectionOf(db);
  const client = new pg.Client({
    ...connection,
    application_name: applicationName,
    connectionTimeoutMillis: 15_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    // The role can have a time limit, because a pooler accepts none from its clients. `disableJit`
    // in db.ts has the reason for `jit = off`.
    await client.query('SET statement_timeout = 0; SET jit = off');
    return await work(openDbOn(client, connection), client);
  } finally {
    await client.end().catch(() => {});
  }
}
