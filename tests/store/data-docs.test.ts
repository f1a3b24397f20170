// docs/data.md documents exactly the existing tables.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/test-database.ts';
import { rowsOf } from './backup/databases.ts';

const { connection } = await openTestDatabase();
const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');

test('documents every table of the migrated database once', async () => {
  const rows = await rowsOf(
    connection,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN
      ('pg_catalog', 'information_schema', 'pgboss', 'partitions') ORDER BY 1`,
  );
  const tableNames = rows.map(({ name }) => String(name)).sort();
  const tables = page.slice(page.indexOf('## Platform'), page.indexOf('## A backup'));
  const cells = [...tables.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(cells.sort()).toEqual(tableNames);
  expect(tableNames.length).toBeGreaterThan(50);
});
