// Migrations: each is applied once, even when several processes start at once. A newer or altered
// database is refused.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { buildConcurrently } from '../../src/store/platform/concurrent-indexes.ts';
import { inSnapshot, sqlOf } from '../../src/store/platform/db.ts';
import { migrate, readMigrations, requireMigrated } from '../../src/store/platform/migrate.ts';
import { onOwnSession } from '../../src/store/platform/own-session.ts';
import {
  isOlderVersion,
  oldestProgramOf,
  programVersion,
} from '../../src/store/platform/program-version.ts';
import { shortenLockWaits, withShortLocks } from '../../src/store/platform/short-locks.ts';
import { openEmptyTestDatabase, openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world: stoppedWorld } = testWorld();
const world = { ...stoppedWorld, clock: { ...stoppedWorld.clock, sleep: runningClock().sleep } };
test('two processes at once apply every migration exactly once', async () => {
  const { db } = await openEmptyTestDatabase();
  const [firstStart, secondStart] = await Promise.all([migrate(world, db), migrate(world, db)]);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(
    sqlOf(db),
  );
  expect([...firstStart, ...secondStart].sort()).toEqual(rows.map((row) => row.name));
  expect(rows.length).toBeGreaterThan(0);
  expect(await migrate(world, db)).toEqual([]);
});

async function openNewerDatabase(oldest: string) {
  const { db } = await openTestDatabase();
  await sql`
    INSERT INTO migrations
    VALUES ('9999_x.sql', 'x', '2030-01-01T00:00:00Z', ${oldest})`.execute(sqlOf(db));
  return db;
}

test('serves beside the next release when its migrations allow this version', async () => {
  const db = await openNewerDatabase(programVersion);
  expect(await migrate(world, db)).toEqual([]);
  await requireMigrated(db);
});

test('refuses a database that needs a newer version, and names that version', async () => {
  const db = await openNewerDatabase('99.0.1');
  const problem = /9999_x.sql, which version .* does not have: it needs version 99.0.1 or later/;
  await expect(migrate(world, db)).rejects.toThrow(problem);
  await expect(requireMigrated(db)).rejects.toThrow(problem);
});

test('refuses a database with an unknown migration that names no version', async () => {
  const db = await openNewerDatabase('99.0.1');
  await sql`ALTER TABLE migrations DROP COLUMN oldest_program`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow('it needs a newer version. Start that version');
});

test('refuses a newer database that lacks a migration of this version', async () => {
  const db = await openNewerDatabase(programVersion);
  await sql`DELETE FROM migrations WHERE name = '0105_settings.sql'`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow(
    /lacks 0105_settings.sql .* histories of the two versions differ/,
  );
});

test('without permission to migrate, names the first missing migration', async () => {
  const { db } = await openEmptyTestDatabase();
  await expect(requireMigrated(db)).rejects.toThrow(
    /lacks \d+ migrations, the first of them 0001_radar.sql. .*radar migrate/,
  );
});

test('every migration that drops or renames names the versions that it excludes', async () => {
  const breakingMigrations = (await readMigrations())
    .filter(({ name }) => name > '0161')
    .filter(({ text }) => /\b(DROP (TABLE|COLUMN)|RENAME)\b/i.test(text.replace(/--.*$/gm, '')))
    .filter(({ text }) => oldestProgramOf(text) === null);
  expect(breakingMigrations.map(({ name }) => name)).toEqual([]);
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.9.1', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
  ['0.1.0', '0.1.1', true],
])('version %s is older than %s: %s', (version, otherVersion, expected) => {
  expect(isOlderVersion(version, otherVersion)).toBe(expected);
});

test('names an applied migration that was edited', async () => {
  const { db } = await openTestDatabase();
  await sql`UPDATE migrations SET hash = 'x' WHERE name = '0001_radar.sql'`.execute(sqlOf(db));
  await expect(migrate(world, db)).rejects.toThrow(/0001_radar.sql was changed/);
});

test('a migration that waits for a reader does not block writes', async () => {
  const { db } = await openEmptyTestDatabase();
  await sql`CREATE TABLE calls_of_a_test (n int)`.execute(sqlOf(db));
  const readEnd = Promise.withResolvers<void>();
  const readStart = Promise.withResolvers<void>();
  const reader = inSnapshot(db, async (tx) => {
    await sql`SELECT n FROM calls_of_a_test`.execute(sqlOf(tx));
    readStart.resolve();
    await readEnd.promise;
  });
  await readStart.promise;
  let pauses = 0;
  const sleep = async () => {
    pauses += 1;
    await sql`INSERT INTO calls_of_a_test (n) VALUES (${pauses})`.execute(sqlOf(db));
    if (pauses < 3) return;
    readEnd.resolve();
    await reader;
  };
  const pausingWorld = { ...world, clock: { ...world.clock, sleep } };
  await withShortLocks(pausingWorld, db, async (tx) => {
    await shortenLockWaits(tx);
    await sql`ALTER TABLE calls_of_a_test ADD COLUMN more int`.execute(sqlOf(tx));
  });
  const { rows } = await sql`SELECT n, more FROM calls_of_a_test ORDER BY n`.execute(sqlOf(db));
  expect(rows).toEqual([1, 2, 3].map((n) => ({ n, more: null })));
});

test('a migration may run longer than the statement timeout of requests', async () => {
  const { db } = await openEmptyTestDatabase();
  const limit = sql<{ statement_timeout: string }>`SHOW statement_timeout`;
  expect((await limit.execute(sqlOf(db))).rows).toEqual([{ statement_timeout: '1min' }]);
  const ownSession = await onOwnSession(db, 'test', (single) => limit.execute(sqlOf(single)));
  expect(ownSession.rows).toEqual([{ statement_timeout: '0' }]);
});

test('statements run without just-in-time compilation', async () => {
  const { db } = await openEmptyTestDatabase();
  const setting = sql`SHOW jit`;
  expect((await setting.execute(sqlOf(db))).rows).toEqual([{ jit: 'off' }]);
  const ownSession = await onOwnSession(db, 'test', (single) => setting.execute(sqlOf(single)));
  expect(ownSession.rows).toEqual([{ jit: 'off' }]);
});

const largeIndex = 'calls_of_a_test_n';
const buildLargeIndex = `-- concurrently
-- The table is that of openNumbersDatabase.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ${largeIndex} ON calls_of_a_test (n);
`;

async function openNumbersDatabase(count: number) {
  const { db } = await openEmptyTestDatabase();
  await sql`CREATE TABLE calls_of_a_test AS SELECT generate_series(1, ${sql.lit(count)}) n`.execute(
    sqlOf(db),
  );
  return db;
}

async function listValidity(db: Db) {
  const { rows } = await sql<{ indisvalid: boolean }>`
    SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(${largeIndex})`.execute(
    sqlOf(db),
  );
  return rows.map((row) => row.indisvalid);
}

test('an index is built while a transaction is open, and writes do not wait', async () => {
  const db = await openNumbersDatabase(100);
  const writeDone = Promise.withResolvers<void>();
  const readStart = Promise.withResolvers<void>();
  const reader = inSnapshot(db, async (tx) => {
    await sql`SELECT n FROM calls_of_a_test`.execute(sqlOf(tx));
    readStart.resolve();
    await writeDone.promise;
  });
  await readStart.promise;
  let isMissing = true;
  const buildProcess = onOwnSession(db, 'test', (session) =>
    buildConcurrently(world, session, buildLargeIndex, {
      isMissing: async () => isMissing,
      finish: async () => {
        isMissing = false;
      },
    }),
  );
  await until(async () => (await listValidity(db)).length === 1 || null);
  await sql`INSERT INTO calls_of_a_test VALUES (0)`.execute(sqlOf(db));
  expect(await listValidity(db)).toEqual([false]);
  writeDone.resolve();
  await reader;
  expect(await buildProcess).toBe(true);
  expect(await listValidity(db)).toEqual([true]);
});

test('one process repeats an interrupted build of an index', async () => {
  const db = await openNumbersDatabase(100);
  await sql`INSERT INTO calls_of_a_test VALUES (1)`.execute(sqlOf(db));
  const uniqueIndex = `CREATE UNIQUE INDEX CONCURRENTLY ${largeIndex} ON calls_of_a_test (n)`;
  await expect(
    onOwnSession(db, 'test', (session) => sql.raw(uniqueIndex).execute(sqlOf(session))),
  ).rejects.toThrow('could not create unique index');
  expect(await listValidity(db)).toEqual([false]);
  let finishedBuilds = 0;
  const build = () =>
    onOwnSession(db, 'test', (session) =>
      buildConcurrently(world, session, buildLargeIndex, {
        isMissing: async () => finishedBuilds === 0,
        finish: async () => {
          finishedBuilds += 1;
        },
      }),
    );
  expect((await Promise.all([build(), build()])).sort()).toEqual([false, true]);
  expect(finishedBuilds).toBe(1);
  expect(await listValidity(db)).toEqual([true]);
});

test('an index of a partitioned table is built on each partition, then on the table', async () => {
  const { db } = await openEmptyTestDatabase();
  await sql`CREATE TABLE calls_of_a_test (n int) PARTITION BY RANGE (n)`.execute(sqlOf(db));
  await sql`CREATE SCHEMA parts`.execute(sqlOf(db));
  for (const [name, from, to] of [
    ['small', 0, 10],
    ['large', 10, 99],
  ] as const) {
    await sql`
      CREATE TABLE parts.${sql.raw(name)} PARTITION OF calls_of_a_test
      FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(sqlOf(db));
  }
  const progress = { isMissing: async () => true, finish: async () => {} };
  await onOwnSession(db, 'test', (session) =>
    buildConcurrently(world, session, buildLargeIndex, progress),
  );
  const { rows } = await sql<{ name: string }>`
    SELECT indexrelid::regclass::text AS name FROM pg_index
    WHERE indisvalid AND indrelid IN
      (SELECT relid FROM pg_partition_tree('calls_of_a_test')) ORDER BY 1`.execute(sqlOf(db));
  expect(rows.map(({ name }) => name)).toEqual([
    'calls_of_a_test_n',
    'parts.calls_of_a_test_n_large',
    'parts.calls_of_a_test_n_small',
  ]);
});

test('a migration that builds concurrently has no other statement', async () => {
  const wrongMigration = '-- concurrently\nALTER TABLE calls ADD COLUMN x int;\n';
  const progress = { isMissing: async () => true, finish: async () => {} };
  const { db } = await openEmptyTestDatabase();
  await expect(buildConcurrently(world, db, wrongMigration, progress)).rejects.toThrow(
    'unlike: ALTER TABLE calls ADD COLUMN x int',
  );
});

test('every migration that indexes a large table builds the index concurrently', async () => {
  const largeTables = /CREATE (UNIQUE )?INDEX \w+\s+ON (calls|entries|answers|public_items)\b/;
  const blockingMigrations = (await readMigrations())
    .filter(({ name }) => name >= '0175')
    .filter(({ text }) => largeTables.test(text.replace(/--.*$/gm, '')));
  expect(blockingMigrations.map(({ name }) => name)).toEqual([]);
});
