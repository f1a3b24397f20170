// Migrates a database to this version. Migrations are forward-only SQL files, each in its own
// transaction and claimed before it runs. Concurrent starters therefore apply each migration
// exactly once. Indexes on large tables are built outside of transactions. A new database begins
// with the baseline.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { createBaseline, isInBaseline } from './baseline.ts';
import { buildConcurrently, isConcurrent, removeConcurrently } from './concurrent-indexes.ts';
import { inTransaction, sqlOf, toTimestamp } from './db.ts';
import { onOwnSession } from './own-session.ts';
import { makePartitions } from './partitions.ts';
import { isOlderVersion, oldestProgramOf, programVersion } from './program-version.ts';
import { shortenLockWaits, withShortLocks } from './short-locks.ts';

const folder = new URL('../../../migrations/', import.meta.url);
/** An arbitrary constant, equal in all versions of this file. */
const LOCK = 4_206_170_112;

type Migration = { readonly name: string; readonly text: string; readonly hash: string };

/**
 * Applies missing migrations and returns their names. The database of a newer version is not
 * changed. Fails when that database does not permit this version.
 */
export async function migrate(world: World, db: Db): Promise<readonly string[]> {
  if (sqlOf(db).isTransaction) return applyMissing(world, db);
  return onOwnSession(db, 'radar migrate', (single) => applyMissing(world, single));
}

async function applyMissing(world: World, db: Db): Promise<readonly string[]> {
  const ownMigrations = await readMigrations();
  const earlierMigrations = await listAppliedMigrations(db);
  refuseDatabase(earlierMigrations, ownMigrations);
  const applied = [
    ...(earlierMigrations.length === 0 ? await startFromBaseline(world, db, ownMigrations) : []),
  ];
  const presentMigrations = [...earlierMigrations, ...applied.map((name) => ({ name }))];
  for (const migration of missingFrom(presentMigrations, ownMigrations)) {
    const apply = (tx: Db) => applyOne(world, tx, migration, ownMigrations);
    const isAppliedHere =
      isConcurrent(migration.text) && !sqlOf(db).isTransaction
        ? await applyConcurrently(world, db, migration, ownMigrations)
        : await withShortLocks(world, db, apply);
    if (isAppliedHere) applied.push(migration.name);
  }
  // Without new migrations, the worker makes partitions, so that a start does not wait for locks.
  if (applied.length > 0) await makePartitions(world, db);
  return applied;
}

/** Makes a new database from the baseline; returns the names of the migrations in it. */
async function startFromBaseline(
  world: World,
  db: Db,
  ownMigrations: readonly Migration[],
): Promise<readonly string[]> {
  return withShortLocks(world, db, async (tx) => {
    await lockMigrations(tx);
    await makeMigrationsTable(tx);
    // Another process has made the database meanwhile.
    if ((await listAppliedMigrations(tx)).length > 0) return [];
    await createBaseline(tx);
    const baselineMigrations = ownMigrations.filter(isInBaseline);
    for (const migration of baselineMigrations) {
      await recordMigration(world, tx, migration);
      await recordOldestProgram(tx, migration);
    }
    world.log.info({ migrations: baselineMigrations.length }, 'baseline applied');
    return baselineMigrations.map(({ name }) => name);
  });
}

/** For programs that must not migrate: fails unless the database is current. */
export async function requireMigrated(db: Db): Promise<void> {
  const ownMigrations = await readMigrations();
  const applied = await listAppliedMigrations(db);
  refuseDatabase(applied, ownMigrations);
  const missing = missingFrom(applied, ownMigrations);
  if (missing.length === 0) return;
  throw new Fault(
    'temporarily_unavailable',
    `The database lacks ${missing.length} migrations, the first of them ${missing[0]?.name}. ` +
      'Run `radar migrate` of this version first, or serve without --no-migrate.',
  );
}

function missingFrom(
  applied: readonly Pick<AppliedMigration, 'name'>[],
  ownMigrations: readonly Migration[],
): readonly Migration[] {
  const names = new Set(applied.map(({ name }) => name));
  return ownMigrations.filter(({ name }) => !names.has(name));
}

type AppliedMigration = {
  readonly name: string;
  readonly hash: string;
  /** The oldest program that may use the database; absent in archives and old databases. */
  readonly oldestProgram?: string | null;
};

/** Applied migrations in the order of their names; empty for a new database. */
export async function listAppliedMigrations(db: Db): Promise<readonly AppliedMigration[]> {
  const query = sqlOf(db);
  const { rows } = await sql<{ isThere: boolean }>`
    SELECT to_regclass('public.migrations') IS NOT NULL AS "isThere"`.execute(query);
  if (!rows[0]?.isThere) return [];
  const result = await sql<AppliedMigration>`
    SELECT name, hash, to_jsonb(m) ->> 'oldest_program' AS "oldestProgram"
    FROM migrations m ORDER BY name`.execute(query);
  return result.rows;
}

/**
 * Holds the migration lock until the transaction ends. Returns false when another process has it.
 */
export async function tryLockMigrations(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    SELECT pg_try_advisory_xact_lock(${LOCK}::bigint) AS held`.execute(sqlOf(tx));
  return rows[0]?.held ?? false;
}

/**
 * Creates, in an empty database, the tables of a database with the migrations `applied`, without
 * rows. The caller inserts the rows of `migrations`. Migrations that depend on the time use `at`.
 */
export async function createEmptySchema(
  tx: Db,
  applied: readonly AppliedMigration[],
  at: number,
): Promise<void> {
  const query = sqlOf(tx);
  const ownMigrations = await readMigrations();
  refuseArchive(applied, ownMigrations);
  await makeMigrationsTable(tx);
  const isApplied = ({ name }: Migration) => applied.some((each) => each.name === name);
  const hasWholeBaseline = ownMigrations.filter(isInBaseline).every(isApplied);
  if (hasWholeBaseline) await createBaseline(tx);
  for (const migration of ownMigrations.filter(isApplied)) {
    if (hasWholeBaseline && isInBaseline(migration)) continue;
    const { name, hash, text } = migration;
    const row = { name, hash, applied_at: toTimestamp(at) };
    await query.insertInto('migrations').values(row).execute();
    await sql.raw(removeConcurrently(text)).execute(query);
  }
  await query.deleteFrom('migrations').execute();
}

export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function applyOne(
  world: World,
  tx: Db,
  migration: Migration,
  ownMigrations: readonly Migration[],
): Promise<boolean> {
  if (!(await lockAndFindMissing(tx, migration, ownMigrations))) return false;
  await recordMigration(world, tx, migration);
  await shortenLockWaits(tx);
  await sql.raw(removeConcurrently(migration.text)).execute(sqlOf(tx));
  await recordOldestProgram(tx, migration);
  world.log.info({ migration: migration.name }, 'migration applied');
  return true;
}

/** The migration's row is inserted after its statements, which can be repeated after a crash. */
async function applyConcurrently(
  world: World,
  db: Db,
  migration: Migration,
  ownMigrations: readonly Migration[],
): Promise<boolean> {
  const isAppliedHere = await buildConcurrently(world, db, migration.text, {
    isMissing: () => inTransaction(db, (tx) => lockAndFindMissing(tx, migration, ownMigrations)),
    finish: () => inTransaction(db, (tx) => recordMigration(world, tx, migration)),
  });
  if (isAppliedHere) world.log.info({ migration: migration.name }, 'migration applied');
  return isAppliedHere;
}

/**
 * Locks all migrations until the transaction ends. Returns whether `migration` is missing. Fails
 * when this version may not migrate the database.
 */
async function lockAndFindMissing(
  tx: Db,
  migration: Migration,
  ownMigrations: readonly Migration[],
): Promise<boolean> {
  await lockMigrations(tx);
  await makeMigrationsTable(tx);
  const rows = await listAppliedMigrations(tx);
  const isNewer = refuseDatabase(rows, ownMigrations);
  if (rows.some((row) => row.name === migration.name)) return false;
  if (isNewer) {
    throw new Fault(
      'temporarily_unavailable',
      `A newer version made the database, and it lacks ${migration.name} of version ` +
        `${programVersion}: the histories of the two versions differ. ${remedies.database}`,
    );
  }
  return true;
}

async function lockMigrations(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`.execute(sqlOf(tx));
}

async function recordMigration(world: World, tx: Db, { name, hash }: Migration): Promise<void> {
  const row = { name, hash, applied_at: toTimestamp(world.clock.now()) };
  await sqlOf(tx).insertInto('migrations').values(row).execute();
}

async function recordOldestProgram(tx: Db, { name, text }: Migration): Promise<void> {
  const oldest = oldestProgramOf(text);
  if (oldest === null) return;
  await sql`
    UPDATE migrations SET oldest_program = ${oldest} WHERE name = ${name}`.execute(sqlOf(tx));
}

async function makeMigrationsTable(tx: Db): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS migrations (
      name       text COLLATE "C" PRIMARY KEY,
      hash       text NOT NULL,
      applied_at timestamptz NOT NULL
    )`.execute(sqlOf(tx));
}

const remedies = {
  database: 'Start that version, or restore a backup that this version made.',
  archive: 'Restore the archive with the newer version.',
};

/** Fails unless this version may use the database; returns whether a newer version migrated it. */
function refuseDatabase(
  rows: readonly AppliedMigration[],
  ownMigrations: readonly Migration[],
): boolean {
  refuseEdited(rows, ownMigrations);
  const unknownMigrations = rows.filter(({ name }) =>
    ownMigrations.every((migration) => migration.name !== name),
  );
  for (const { name, oldestProgram } of unknownMigrations) {
    if (oldestProgram && !isOlderVersion(programVersion, oldestProgram)) continue;
    const needed = oldestProgram ? `version ${oldestProgram} or later` : 'a newer version';
    throw new Fault(
      'temporarily_unavailable',
      `The database has migration ${name}, which version ${programVersion} does not have: ` +
        `it needs ${needed}. ${remedies.database}`,
    );
  }
  return unknownMigrations.length > 0;
}

/** An archive is restored by the version that made it, or by a later version. */
function refuseArchive(
  rows: readonly AppliedMigration[],
  ownMigrations: readonly Migration[],
): void {
  refuseEdited(rows, ownMigrations);
  const unknownMigration = rows.find(({ name }) =>
    ownMigrations.every((migration) => migration.name !== name),
  );
  if (unknownMigration === undefined) return;
  throw new Fault(
    'temporarily_unavailable',
    `The archive has migration ${unknownMigration.name}, which this version does not have: ` +
      `a newer version made the archive. ${remedies.archive}`,
  );
}

/** Earlier hashes of edited files. Later migrations make databases of both hashes equal. */
export const earlierHashes: Readonly<Record<string, string>> = {
  '0175_ledger_checkpoints.sql': '1a6dac72e313c3cacceb0ce86b725d10e20804cfc8c1b8cbc5090afd4ce4acbc',
  '0184_partitions.sql': '9f8c3543cdf0ef23130b809442f1b869d123f2cb0b4695b6d40fa05f67f14025',
};

function refuseEdited(
  rows: readonly AppliedMigration[],
  ownMigrations: readonly Migration[],
): void {
  for (const { name, hash } of rows) {
    const ownMigration = ownMigrations.find((migration) => migration.name === name);
    if (ownMigration === undefined || ownMigration.hash === hash) continue;
    if (earlierHashes[name] === hash) continue;
    throw new Fault(
      'temporarily_unavailable',
      `Migration ${name} was changed after it had been applied. ` +
        'Applied migrations are never edited: restore the file and add a new migration.',
    );
  }
}
