// Makes and lists monthly partitions of the tables that grow with use. The partitions of this month
// and of the next are made ahead of time. Rows without a month are in the partition
// `<table>_other`.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { sqlOf, toTimestamp } from './db.ts';
import { shortenLockWaits, withShortLocks } from './short-locks.ts';

export const partitionedTables = ['entries', 'calls', 'readings', 'publication_log'] as const;

/**
 * Key of the advisory lock with which one process at a time makes or drops partitions. The number
 * is arbitrary.
 */
const LOCK = 4_206_170_114;

export type PartitionedTable = (typeof partitionedTables)[number];

/** The first instant of a month in UTC. */
export const startOfMonth = (at: number, monthsLater: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
};

export type Partition = {
  readonly table: PartitionedTable;
  readonly name: string;
  /** The lower bound; null: there is none. */
  readonly from: string | null;
  readonly to: string;
};

/** All partitions with bounds, the oldest first. */
export async function readPartitions(db: Db): Promise<readonly Partition[]> {
  const { rows } = await sql<Partition>`
    SELECT p.relname::text AS table, c.relname::text AS name,
      substring(b.bounds FROM $$FROM \\('([^']*)'\\)$$) AS from,
      substring(b.bounds FROM $$TO \\('([^']*)'\\)$$) AS to
    FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds) AS b
    WHERE c.relnamespace = to_regnamespace('partitions') AND b.bounds LIKE 'FOR VALUES FROM%'
    ORDER BY p.relname, c.relname`.execute(sqlOf(db));
  return rows;
}

/** The name of a partition that was detached from its table and is not exported yet; null: none. */
export async function findDetachedPartition(db: Db): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname::text AS name FROM pg_class
    WHERE relnamespace = to_regnamespace('partitions') AND relkind = 'r' AND NOT relispartition
    ORDER BY 1 LIMIT 1`.execute(sqlOf(db));
  return rows[0]?.name ?? null;
}

/** Makes the partitions of a backup in an empty database. */
export async function restorePartitions(tx: Db, partitions: readonly Partition[]): Promise<void> {
  for (const { table, name, from, to } of partitions) {
    await sql`SELECT partition_make(${table}, ${name}, ${from}::text, ${to})`.execute(sqlOf(tx));
  }
}

/** Takes the lock of partitions; PostgreSQL releases it at the end of the transaction. */
export async function lockPartitions(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`.execute(sqlOf(tx));
}

/** The partitions of this month and the next that do not exist, with their first instants. */
async function listMissingPartitions(
  world: World,
  db: Db,
): Promise<readonly { readonly table: PartitionedTable; readonly month: number }[]> {
  const months = [0, 1].map((monthsLater) => startOfMonth(world.clock.now(), monthsLater));
  const existing = await readPartitions(db);
  return partitionedTables.flatMap((table) =>
    months
      .filter((month) => {
        const name = new Date(month).toISOString().slice(0, 7).replace('-', '_');
        // The name of a partition ends with its last month. Without a lower bound, the partition
        // also has all months before.
        const containsMonth = (partition: Partition) =>
          partition.name === `${table}_${name}` ||
          (partition.from === null && name < partition.name.slice(-name.length));
        return !existing.some((partition) => partition.table === table && containsMonth(partition));
      })
      .map((month) => ({ table, month })),
  );
}

export async function arePartitionsMissing(world: World, db: Db): Promise<boolean> {
  return (await listMissingPartitions(world, db)).length > 0;
}

/** Each partition is made in a transaction of its own, whose locks are short. */
export async function makePartitions(world: World, db: Db): Promise<void> {
  for (const { table, month } of await listMissingPartitions(world, db)) {
    await withShortLocks(world, db, async (tx) => {
      await lockPartitions(tx);
      await shortenLockWaits(tx);
      await sql`SELECT partition_add(${table}, ${toTimestamp(month)})`.execute(sqlOf(tx));
    });
    world.log.info({ table, month: new Date(month).toISOString().slice(0, 7) }, 'partition made');
  }
}
