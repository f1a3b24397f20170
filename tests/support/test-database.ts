// A database of a test file's own: a copy of the migrated template, dropped after the file.
import { randomBytes } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import type { Db } from '../../src/kernel/db.ts';
import { type Connection, closeDb, openDb } from '../../src/store/db.ts';
import { onDatabase, runOn } from './database-server.ts';
import { testWorld } from './test-world.ts';

export type TestDatabase = { readonly db: Db; readonly connection: Connection };

/** Call at the top of a test file, or in `beforeAll`. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const template = inject('databaseTemplate');
  const name = `radar_test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const connection = onDatabase(server, name);
  const db = openDb(testWorld().world.log, connection, { applicationName: 'radar test' });
  afterAll(async () => {
    await closeDb(db);
    await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { db, connection };
}

/** The same as a URL, for a process of its own. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
