// Migrations: each is applied once, with any number of starters; a newer or an altered database is
// refused.
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { closeDb, inSnapshot, openDb, sqlOf } from '../../src/store/platform/db.ts';
import { migrate, readMigrations, requireMigrated } from '../../src/store/platform/migrate.ts';
import { onOwnSession } from '../../src/store/platform/one-transaction.ts';
import {
  isOlderVersion,
  oldestProgramOf,
  programVersion,
} from '../../src/store/platform/program-version.ts';
import { shortenLockWaits, withShortLocks } from '../../src/store/platform/short-locks.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { onDatabase, runOn } from '../support/database-server.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const server = inject('databaseServer');
let count = 0;

async function emptyDatabase() {
  count += 1;
  const name = `radar_migrate_${process.pid}_${count}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  const db = openDb(world.log, onDatabase(server, name), {
    applicationName: 'test',
    ...slowConnectOptions,
  });
  afterAll(async () => {
    await closeDb(db);
    await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return db;
}

test('two processes at once apply every migration exactly once', async () => {
  const db = await emptyDatabase();
  const [first, second] = await Promise.all([migrate(world, db), migrate(world, db)]);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(
    sqlOf(db),
  );
  expect([...first, ...second].sort()).toEqual(rows.map((row) => row.name));
  expect(rows.length).toBeGreaterThan(0);
  expect(await migrate(world, db)).toEqual([]);
});

async function addNewerMigration(db: Awaited<ReturnType<typeof emptyDatabase>>, oldest: string) {
  await migrate(world, db);
  await sql`
    INSERT INTO migrations
    VALUES ('9999_x.sql', 'x', '2030-01-01T00:00:00Z', ${oldest})`.execute(sqlOf(db));
}

test('serves beside the next release when its migrations allow this version', async () => {
  const db = await emptyDatabase();
  await addNewerMigration(db, programVersion);
  expect(await migrate(world, db)).toEqual([]);
  await requireMigrated(db);
});

test('refuses a database that needs a newer version, and names it', async () => {
  const db = await emptyDatabase();
  await addNewerMigration(db, '99.0.1');
  const problem = /9999_x.sql, which version .* does not know: it needs version 99.0.1 or later/;
  await expect(migrate(world, db)).rejects.toThrow(problem);
  await expect(requireMigrated(db)).rejects.toThrow(problem);
});

test('refuses to apply its own migrations after those of another history', async () => {
  const db = await emptyDatabase();
  await addNewerMigration(db, programVersion);
  await sql`DELETE FROM migrations WHERE name = '0105_settings.sql'`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow(
    /lacks 0105_settings.sql .* different histories/,
  );
});

test('without permission to migrate, names the first missing migration', async () => {
  const db = await emptyDatabase();
  await expect(requireMigrated(db)).rejects.toThrow(
    /lacks \d+ migrations, the first of them 0001_radar.sql. .*radar migrate/,
  );
});

test('every migration that drops or renames names the programs that it locks out', async () => {
  const breaking = (await readMigrations())
    .filter(({ name }) => name > '0161')
    .filter(({ text }) => /\b(DROP (TABLE|COLUMN)|RENAME)\b/i.test(text.replace(/--.*$/gm, '')))
    .filter(({ text }) => oldestProgramOf(text) === null);
  expect(breaking.map(({ name }) => name)).toEqual([]);
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.9.1', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
  ['0.1.0', '0.1.1', true],
])('version %s is older than %s: %s', (version, than, expected) => {
  expect(isOlderVersion(version, than)).toBe(expected);
});

test('names an applied migration that was edited', async () => {
  const db = await emptyDatabase();
  await migrate(world, db);
  await sql`UPDATE migrations SET hash = 'x' WHERE name = '0001_radar.sql'`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow(/0001_radar.sql was changed/);
});

test('a migration waits for readers without blocking their queries', async () => {
  const db = await emptyDatabase();
  await sql`CREATE TABLE calls_of_a_test (n int)`.execute(sqlOf(db));
  const reading = Promise.withResolvers<void>();
  const begin = Promise.withResolvers<void>();
  const reader = inSnapshot(db, async (tx) => {
    await sql`SELECT n FROM calls_of_a_test`.execute(sqlOf(tx));
    begin.resolve();
    await reading.promise;
  });
  await begin.promise;
  let pauses = 0;
  const sleep = async () => {
    pauses += 1;
    await sql`INSERT INTO calls_of_a_test (n) VALUES (${pauses})`.execute(sqlOf(db));
    if (pauses < 3) return;
    reading.resolve();
    await reader;
  };
  const ownSession = { ...world, clock: { ...world.clock, sleep } };
  await withShortLocks(ownSession, db, async (tx) => {
    await shortenLockWaits(tx);
    await sql`ALTER TABLE calls_of_a_test ADD COLUMN more int`.execute(sqlOf(tx));
  });
  const { rows } = await sql`SELECT n, more FROM calls_of_a_test ORDER BY n`.execute(sqlOf(db));
  expect(rows).toEqual([1, 2, 3].map((n) => ({ n, more: null })));
});

test('a migration may run longer than the statement timeout of requests', async () => {
  const db = await emptyDatabase();
  const limit = sql<{ statement_timeout: string }>`SHOW statement_timeout`;
  expect((await limit.execute(sqlOf(db))).rows).toEqual([{ statement_timeout: '1min' }]);
  const ownSession = await onOwnSession(db, 'test', (single) => limit.execute(sqlOf(single)));
  expect(ownSession.rows).toEqual([{ statement_timeout: '0' }]);
});
