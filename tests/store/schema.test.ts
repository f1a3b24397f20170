// The types of the tables match the migrated database.
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';

const { db } = await openTestDatabase();

type Column = { table: string; column: string; type: string; nullable: boolean };

/**
 * The types in the files of `store/schema`, parsed from their text without comments: `table: {
 * column: Type; … }`.
 */
function readDeclaredColumns(): Column[] {
  const folder = new URL('../../src/store/schema/', import.meta.url);
  const bodies = readdirSync(folder).map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8').replace(/\/\*.*?\*\//gs, '');
    return text.slice(/^export type \w+Schema = /m.exec(text)?.index ?? text.length);
  });
  const tables = bodies.flatMap((body) => [...body.matchAll(/^ {2}(\w+): \{([^}]*)\}/gm)]);
  return tables.flatMap(([, table = '', columns = '']) =>
    [...columns.matchAll(/(\w+): ([^;}]+(?:<[^;]*>)?)(?:;|\s*$)/g)].map(
      ([, column = '', type = '']) => ({
        table,
        column,
        type: sqlType(type.trim()),
        nullable: /\| null|^Nullable/.test(type.trim()),
      }),
    ),
  );
}

function sqlType(type: string): string {
  if (/Instant/.test(type)) return 'timestamptz';
  if (/Json|Record/.test(type)) return 'jsonb';
  if (/^Buffer/.test(type)) return 'bytea';
  if (/boolean/.test(type)) return 'boolean';
  if (/\[\]/.test(type)) return 'array';
  return /number|bigint/.test(type) ? 'number' : 'text';
}

const sqlNames: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  numeric: 'number',
  ARRAY: 'array',
  tsvector: 'text',
};

test('every column of the database is declared, with its type and nullability', async () => {
  const { rows } = await sql<Column>`
    SELECT table_name AS "table", column_name AS "column", data_type AS type,
      is_nullable = 'YES' AS nullable
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(sqlOf(db));
  const actualColumns = rows.map((row) => ({ ...row, type: sqlNames[row.type] ?? row.type }));
  const describeColumns = (columns: Column[]) =>
    columns
      .map(({ table, column, type, nullable }) => {
        return `${table}.${column} ${type}${nullable ? ' null' : ''}`;
      })
      .sort();
  expect(describeColumns(readDeclaredColumns())).toEqual(describeColumns(actualColumns));
  expect(rows.length).toBeGreaterThan(100);
});

test('ids and keyset columns sort equally on every server', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
      AND (column_name = 'id' OR column_name LIKE '%\_id' OR column_name LIKE '%\_key'
        OR column_name IN ('key', 'day', 'hash', 'name') AND table_name <> 'sources')`.execute(
    sqlOf(db),
  );
  expect(rows.map((row) => row.name)).toEqual(['migrations.hash']);
});

test('no column has a time default: the World’s clock is the only clock', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default ~* 'now|current|clock'`.execute(sqlOf(db));
  expect(rows).toEqual([]);
});
