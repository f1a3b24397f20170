// Starts one server for the whole run, as Vitest's global set-up: the embedded server without
// fsync, or the one of TEST_DATABASE_URL. It has one migrated template, of which every test file
// gets a copy. The data are in memory when there is enough space. A copy then takes a third of the
// time.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { jobKinds } from '../../src/jobs/job-kinds.ts';
import { openEmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';
import { type Connection, closeDb, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import { openQueue } from '../../src/store/platform/queue.ts';
import { slowConnectOptions } from './connect-timeout.ts';
import { fastTempFolder } from './fast-temp-folder.ts';
import { testWorld } from './test-world.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databaseServer: Connection;
    readonly databaseTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { world } = testWorld();
  const server = await openServer(world.log);
  const template = `radar_template_${randomBytes(6).toString('hex')}`;
  await runStatement(server.connection, `CREATE DATABASE ${template}`);
  const db = openDb(world.log, connectionTo(server.connection, template), {
    applicationName: 'test',
    ...slowConnectOptions,
  });
  await migrate(world, db);
  const queue = await openQueue(world, db, { role: 'sender', kinds: jobKinds });
  await queue.close();
  await closeDb(db);
  project.provide('databaseServer', server.connection);
  project.provide('databaseTemplate', template);
  return async () => {
    for (const name of await templatesLike(server.connection, template)) {
      await runStatement(server.connection, `DROP DATABASE ${name} WITH (FORCE)`);
    }
    await server.close();
  };
}

async function openServer(log: Parameters<typeof openEmbeddedPostgres>[0]) {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, close: async () => {} };
  const dataDir = mkdtempSync(join(fastTempFolder(), 'radar-test-'));
  // Up to three test files that start processes run at the same time. Some of them start four nodes
  // with a dozen connections each.
  const settings = { max_connections: '300' };
  const embedded = await openEmbeddedPostgres(log, { dataDir, isDurable: false, settings });
  return {
    connection: embedded.connection,
    close: async () => {
      await embedded.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The template, and the templates with more rows that tests copied from it. */
async function templatesLike(connection: Connection, template: string): Promise<string[]> {
  const query = `SELECT datname FROM pg_database WHERE starts_with(datname, '${template}')`;
  return (await queryRows(connection, query)).map(({ datname }) => String(datname));
}

/** Another database on the same server. */
export function connectionTo(connection: Connection, database: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

export async function runStatement(connection: Connection, statement: string): Promise<void> {
  await queryRows(connection, statement);
}

async function queryRows(
  connection: Connection,
  statement: string,
): Promise<readonly { [column: string]: unknown }[]> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
