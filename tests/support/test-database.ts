// Opens one database per test file: a copy of the migrated template, or of a template that several
// files share. The database is dropped after the file.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { type Connection, closeDb, openDb } from '../../src/store/platform/db.ts';
import { atEnd } from './at-end.ts';
import { slowConnectOptions } from './connect-timeout.ts';
import { connectionTo, runStatement } from './database-server.ts';
import { testWorld } from './test-world.ts';

export type TestDatabase = { readonly db: Db; readonly connection: Connection };

/** Call at the top of a test file, or in `beforeAll`. `template`: the migrated one when absent. */
export async function openTestDatabase(
  template = inject('databaseTemplate'),
): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const name = `radar_test_${randomBytes(6).toString('hex')}`;
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const connection = connectionTo(server, name);
  const options = { applicationName: 'radar test', ...slowConnectOptions };
  const db = openDb(testWorld().world.log, connection, options);
  atEnd(async () => {
    await closeDb(db);
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { db, connection };
}

/** The template of databases without any table. */
export const EMPTY_TEMPLATE = 'template1';

/** A database without any table. */
export async function openEmptyTestDatabase(): Promise<TestDatabase> {
  return openTestDatabase(EMPTY_TEMPLATE);
}

/**
 * Creates a template from `source` with the changes of `fill` and returns its name. The template
 * exists for the whole run, so later files in the same worker can use it again.
 */
export async function makeTemplate(
  fill: (db: Db) => Promise<void>,
  source = inject('databaseTemplate'),
): Promise<string> {
  const server = inject('databaseServer');
  const name = `${inject('databaseTemplate')}_${randomBytes(6).toString('hex')}`;
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  const { log } = testWorld().world;
  const options = { applicationName: 'radar test template', ...slowConnectOptions };
  const db = openDb(log, connectionTo(server, name), options);
  try {
    await fill(db);
  } finally {
    await closeDb(db);
  }
  return name;
}

/** The address of the database as a URL, for another process. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
