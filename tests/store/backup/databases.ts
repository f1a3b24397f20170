// Databases for backups: empty ones for a restore, a dump of a database as text, and a server of
// another version.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Db } from '../../../src/kernel/ports/db.ts';
import { type Connection, closeDb, openDb } from '../../../src/store/platform/db.ts';
import { atEnd } from '../../support/at-end.ts';
import { slowConnectOptions } from '../../support/connect-timeout.ts';
import { connectionTo, runStatement } from '../../support/database-server.ts';
import { testWorld } from '../../support/test-world.ts';

export type EmptyDatabase = { readonly db: Db; readonly connection: Connection };

/** A database without tables, dropped after the tests of the file. */
export async function createEmptyDatabase(
  server = inject('databaseServer'),
): Promise<EmptyDatabase> {
  const name = `radar_empty_${randomBytes(6).toString('hex')}`;
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const connection = connectionTo(server, name);
  const db = openDb(testWorld().world.log, connection, {
    applicationName: 'radar test',
    ...slowConnectOptions,
  });
  atEnd(async () => {
    await closeDb(db);
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { db, connection };
}

/** A folder for archives, removed after the tests of the file. */
export function makeArchiveFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-backup-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type TableRows = Readonly<Record<string, readonly string[]>>;

/** All rows of all tables except the queue's, sorted. */
export function dumpDatabase(connection: Connection): Promise<TableRows> {
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT schemaname || '.' || tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'pgboss', 'partitions')
       ORDER BY 1`,
    );
    const rowsByTable: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} t ORDER BY 1`,
      );
      rowsByTable[name] = rows.map(({ row }) => row);
    }
    return rowsByTable;
  });
}

/** Tables, indexes, constraints, triggers, functions, views and sequence values, as text. */
export async function schemaOf(connection: Connection): Promise<readonly string[]> {
  const rows = await rowsOf(
    connection,
    `SELECT format('%s.%s %s %s', c.relname, a.attname, a.attnum, format_type(a.atttypid, -1)) AS x
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND c.relkind IN ('r', 'p')
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT pg_get_triggerdef(t.oid) || tgenabled::text
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
       WHERE pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname ~ '^(public|ledger_)')
     UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname ~ '^(public|ledger_)'
     UNION ALL SELECT sequencename || ' ' || coalesce(last_value, 0) FROM pg_sequences
       WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows.map(({ x }) => String(x));
}

export function rowsOf(
  connection: Connection,
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return withClient(connection, async (client) => (await client.query(statement)).rows);
}

/** One connection for all statements: a connection per table took most of a dump's time. */
async function withClient<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Debian's PostgreSQL 15, the oldest supported version. It stops after the tests. */
export async function startOldestServer(): Promise<Connection> {
  const script = join(import.meta.dirname, '../../../.ci/postgres-15');
  const child = spawn(script, ['sh', '-c', 'echo "$TEST_DATABASE_URL"; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  atEnd(async () => {
    child.stdin.end();
    await ended;
  });
  const connectionString = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()));
    child.once('close', () => reject(new Error('PostgreSQL 15 did not start')));
  });
  return { connectionString };
}

/** For archives that are not encrypted. */
export const noPassphrase = (): Promise<string> =>
  Promise.reject(new Error('The archive is not encrypted.'));
