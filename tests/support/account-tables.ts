// Finds the tables of the live schema that refer to an account. The download and the deletion of an
// account must each handle all of these tables.
import { sql } from 'kysely';
import type { Db } from '../../src/kernel/ports/db.ts';
import { sqlOf } from '../../src/store/platform/db.ts';

/** Names of columns that may refer to an account, also without a foreign key. */
const accountColumnPattern =
  /account|^(?:.*_)?(?:key|request|top_up|endpoint|wallet|call|job)_id$|redeemed_by|wallet/;

/** Tables with a row that contains the value. */
export async function tablesWith(db: Db, value: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'secrets')
    ORDER BY tablename`.execute(sqlOf(db));
  const tables: string[] = [];
  for (const { name } of rows) {
    const { rows: hits } = await sql`SELECT 1 FROM ${sql.table(name)} t
      WHERE t::text LIKE ${`%${value}%`} LIMIT 1`.execute(sqlOf(db));
    if (hits.length > 0) tables.push(name);
  }
  return tables;
}

/** Tables that refer to an account by the name of a column, by a value or by a foreign key. */
export async function referringTables(db: Db, accountId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; column: string }>`
    SELECT c.table_name AS name, c.column_name AS column FROM information_schema.columns c
    JOIN pg_tables t ON t.schemaname = 'public' AND t.tablename = c.table_name
    WHERE c.table_schema = 'public'`.execute(sqlOf(db));
  const { rows: foreignKeys } = await sql<{ name: string; target: string }>`
    SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS target
    FROM pg_constraint WHERE contype = 'f'`.execute(sqlOf(db));
  const tableNames = new Set([
    'accounts',
    ...rows.filter(({ column }) => accountColumnPattern.test(column)).map(({ name }) => name),
    ...(await tablesWith(db, accountId)),
  ]);
  for (let previousSize = 0; previousSize < tableNames.size; ) {
    previousSize = tableNames.size;
    for (const { name, target } of foreignKeys) if (tableNames.has(target)) tableNames.add(name);
  }
  return [...tableNames].sort();
}
