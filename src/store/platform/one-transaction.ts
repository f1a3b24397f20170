// One transaction on its own connection, for work that streams whole tables. Statements have no
// time limit, and the driver's client is available for COPY. A failure closes the connection,
// because an interrupted COPY accepts no rollback.
import pg from 'pg';
import type { Db } from '../../kernel/ports/db.ts';
import { connectionOf, inSnapshot, inTransaction, openDbOn } from './db.ts';

export type OneTransaction = { readonly tx: Db; readonly client: pg.Client };

export async function inSharedTransaction<T>(
  db: Db,
  options: { readonly applicationName: string; readonly isSnapshot: boolean },
  work: (one: OneTransaction) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connectionOf(db),
    application_name: options.applicationName,
    connectionTimeoutMillis: 15_000,
  });
  client.on('error', () => {});
  await client.connect();
  let failure: { readonly error: unknown } | null = null;
  const guarded = async (tx: Db) => {
    try {
      return await work({ tx, client });
    } catch (error) {
      failure = { error };
      await client.end().catch(() => {});
      throw error;
    }
  };
  try {
    const single = openDbOn(client, connectionOf(db));
    return await (options.isSnapshot ? inSnapshot : inTransaction)(single, guarded);
  } catch (error) {
    // Throws the error of the work and not the error of the rollback.
    throw (failure as { readonly error: unknown } | null)?.error ?? error;
  } finally {
    await client.end().catch(() => {});
  }
}
