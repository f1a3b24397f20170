// A new database, made from the baseline, equals one that applied all migrations.
import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { isInBaseline } from '../../src/store/platform/baseline.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import {
  createEmptySchema,
  listAppliedMigrations,
  migrate,
  readMigrations,
} from '../../src/store/platform/migrate.ts';
import { describeSchema } from '../support/describe-schema.ts';
import { openEmptyTestDatabase, openTestDatabase, urlOf } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { requireTool } from '../support/tools.ts';

const { world } = testWorld();

async function openNewDatabase() {
  const database = await openEmptyTestDatabase();
  const applied = await migrate(world, database.db);
  return { ...database, applied };
}

/** Applies the first migration separately, so that `migrate` does not use the baseline. */
async function openMigratedDatabase() {
  const database = await openEmptyTestDatabase();
  const firstMigration = requirePresent((await readMigrations())[0], 'a migration');
  await inTransaction(database.db, async (tx) => {
    await createEmptySchema(tx, [firstMigration], TEST_NOW);
    await sql`
      INSERT INTO migrations (name, hash, applied_at)
      VALUES (${firstMigration.name}, ${firstMigration.hash}, now())`.execute(sqlOf(tx));
  });
  const applied = await migrate(world, database.db);
  return { ...database, applied: [firstMigration.name, ...applied] };
}

const [newDatabase, migratedDatabase] = [await openNewDatabase(), await openMigratedDatabase()];

test('a new database has the schema of a database that applied each migration', async () => {
  const schema = await describeSchema(newDatabase.db);
  expect(schema.length).toBeGreaterThan(1_500);
  expect(schema).toEqual(await describeSchema(migratedDatabase.db));
  expect(newDatabase.applied).toEqual(migratedDatabase.applied);
  expect(newDatabase.applied.filter((name) => isInBaseline({ name })).length).toBeGreaterThan(60);
  expect(await listAppliedMigrations(newDatabase.db)).toEqual(
    await listAppliedMigrations(migratedDatabase.db),
  );
  expect(await migrate(world, newDatabase.db)).toEqual([]);
});

test('the description of a schema shows each kind of change', async () => {
  const { db } = await openTestDatabase();
  let schemaBefore = await describeSchema(db);
  const changes = [
    'ALTER TABLE calls ALTER sku SET NOT NULL',
    'ALTER TABLE books SET (fillfactor = 90)',
    'ALTER TABLE items ALTER title SET STORAGE EXTERNAL',
    'ALTER TABLE items ALTER revision SET DEFAULT 1',
    'ALTER TABLE items ADD CHECK (revision > 0)',
    'CREATE INDEX ON items (title)',
    'DROP TRIGGER seals_append_only ON seals',
    'ALTER SEQUENCE entries_seq CACHE 2',
    'ALTER FUNCTION ledger_horizon() STABLE',
    'CREATE OR REPLACE VIEW ledger_audit.spending_order AS SELECT ' +
      "'x'::text AS subject, 'y'::text AS detail",
  ];
  for (const change of changes) {
    await sql.raw(change).execute(sqlOf(db));
    const changedSchema = await describeSchema(db);
    expect(changedSchema, change).not.toEqual(schemaBefore);
    schemaBefore = changedSchema;
  }
});

const pgDump = requireTool('pg_dump');

/** Null when pg_dump is older than the server. */
function dumpSchema(url: string): string | null {
  const program = pgDump.kind === 'found' ? pgDump.path : 'pg_dump';
  const { status, stdout, stderr } = spawnSync(program, ['--schema-only', '--no-owner', url], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (stderr.includes('server version mismatch')) return null;
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.replace(/^ *--.*\n/gm, '').replace(/^\\(un)?restrict .*\n/gm, '');
}

describe.skipIf(pgDump.kind === 'missing')('with pg_dump', () => {
  test('pg_dump prints the same schema for both databases', async (context) => {
    const text = dumpSchema(urlOf(newDatabase.connection));
    if (text === null) return context.skip('pg_dump is older than the server');
    expect(text.length).toBeGreaterThan(100_000);
    expect(text).toBe(dumpSchema(urlOf(migratedDatabase.connection)));
  });
});
