// Runs migrations that build indexes beside a running service. A file with the first line `--
// concurrently` has only statements that PostgreSQL runs outside of transactions. Each may run
// again: an interrupted build leaves an invalid index, which the next attempt replaces. A build
// waits for older transactions and blocks no write.
import { sql } from 'kysely';
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { sqlOf } from './db.ts';
import { shortenLockWaits, withShortLocks } from './short-locks.ts';

/**
 * Other migrations must use another lock. A process that waits for a lock has a snapshot. A build
 * waits for the end of each older snapshot, so a shared lock would be a deadlock.
 */
const LOCK = 4_206_170_113;
const PAUSE_MS = 1_000;
const BUILD = /^CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+) ON (\w+) (.+)$/;
const REMOVAL = /^DROP INDEX CONCURRENTLY IF EXISTS (\w+)$/;

export const isConcurrent = (migrationText: string): boolean =>
  migrationText.startsWith('-- concurrently\n');

/** The same statements for a transaction, in which CONCURRENTLY is not permitted. */
export const removeConcurrently = (migrationText: string): string =>
  migrationText.replaceAll('INDEX CONCURRENTLY', 'INDEX');

type MigrationRecord = {
  /** False when another process has finished the migration meanwhile. */
  readonly isMissing: () => Promise<boolean>;
  /** Records that the migration is complete. */
  readonly finish: () => Promise<void>;
};

/**
 * Runs the statements on this session, in one process at a time. Returns whether this process ran
 * them.
 */
export async function buildConcurrently(
  world: World,
  session: Db,
  migrationText: string,
  { isMissing, finish }: MigrationRecord,
): Promise<boolean> {
  const statements = statementsOf(migrationText);
  while (await isMissing()) {
    if (!(await tryLock(session))) {
      await world.clock.sleep(PAUSE_MS);
      continue;
    }
    try {
      if (!(await isMissing())) return false;
      for (const statement of statements) await runStatement(world, session, statement);
      await finish();
      return true;
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK}::bigint)`.execute(sqlOf(session));
    }
  }
  return false;
}

function statementsOf(migrationText: string): readonly string[] {
  const statements = migrationText
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
  const invalidStatement = statements.find((text) => !BUILD.test(text) && !REMOVAL.test(text));
  assert(
    invalidStatement === undefined,
    `a concurrent migration only builds or drops indexes, unlike: ${invalidStatement}`,
  );
  return statements;
}

async function tryLock(session: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    SELECT pg_try_advisory_lock(${LOCK}::bigint) AS held`.execute(sqlOf(session));
  return rows[0]?.held ?? false;
}

async function runStatement(world: World, session: Db, statement: string): Promise<void> {
  const [, unique = '', name = '', table = '', columnList = ''] = BUILD.exec(statement) ?? [];
  if (name === '') {
    await sql.raw(statement).execute(sqlOf(session));
    return;
  }
  const partitions = await partitionsOf(session, table);
  if (partitions === null) {
    await buildIndex(session, `public.${name}`, statement);
    return;
  }
  for (const { schema, partition } of partitions) {
    const ownName = `${name}_${partition}`;
    const index = `CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${ownName}`;
    await buildIndex(
      session,
      `${schema}.${ownName}`,
      `${index} ON ${schema}.${partition} ${columnList}`,
    );
  }
  // The index of the whole table adopts the indexes of its partitions, so it reads no row.
  await withShortLocks(world, session, async (tx) => {
    await shortenLockWaits(tx);
    await sql.raw(removeConcurrently(statement)).execute(sqlOf(tx));
  });
}

async function buildIndex(session: Db, name: string, statement: string): Promise<void> {
  await dropInvalid(session, name);
  await sql.raw(statement).execute(sqlOf(session));
}

type Partition = { readonly schema: string; readonly partition: string };

/** Null for a table without partitions. */
async function partitionsOf(session: Db, table: string): Promise<readonly Partition[] | null> {
  const tableKind = await sql<{ isPlain: boolean }>`
    SELECT relkind <> 'p' AS "isPlain" FROM pg_class
    WHERE oid = to_regclass(${`public.${table}`})`.execute(sqlOf(session));
  if (tableKind.rows[0]?.isPlain !== false) return null;
  const { rows } = await sql<Partition>`
    SELECT c.relnamespace::regnamespace::text AS schema, c.relname AS partition
    FROM pg_partition_tree(to_regclass(${`public.${table}`})) p JOIN pg_class c ON c.oid = p.relid
    WHERE p.isleaf`.execute(sqlOf(session));
  return rows;
}

async function dropInvalid(session: Db, name: string): Promise<void> {
  const { rows } = await sql<{ isInvalid: boolean }>`
    SELECT NOT indisvalid AS "isInvalid" FROM pg_index
    WHERE indexrelid = to_regclass(${name})`.execute(sqlOf(session));
  if (rows[0]?.isInvalid) {
    await sql.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`).execute(sqlOf(session));
  }
}
