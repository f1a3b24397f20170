// A broken connection fails its own queries and nothing else: neither the process nor the next
// query.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  backgroundDb,
  closeDb,
  inTransaction,
  openDb,
  sqlOf,
} from '../../src/store/platform/db.ts';
import { runStatement } from '../support/database-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { db, connection } = await openTestDatabase();

test('a server process that ends in a transaction fails that transaction only', async () => {
  const transaction = inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(sqlOf(tx));
    await runStatement(connection, `SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    // No query runs at this time, so the error reaches an idle connection that is checked out.
    await until(async () => {
      const failure = await sql`SELECT 1`.execute(sqlOf(tx)).catch(() => true);
      return failure === true ? true : null;
    });
    await sql`SELECT 1`.execute(sqlOf(tx));
  });
  await expect(transaction).rejects.toThrow();
  const { rows } = await sql`SELECT 1 AS one`.execute(sqlOf(db));
  expect(rows).toEqual([{ one: 1 }]);
});

test('a connection that only background work uses closes with the database', async () => {
  const database = openDb(testWorld().world.log, connection, { applicationName: 'radar' });
  const backgroundQueries = sqlOf(backgroundDb(database, 1));
  await sql`SELECT 1`.execute(backgroundQueries);
  await closeDb(database);
  await expect(sql`SELECT 1`.execute(backgroundQueries)).rejects.toThrow('after calling end');
});
