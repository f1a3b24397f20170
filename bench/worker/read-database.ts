// Reads the results of a worker from its database: progress and bytes of each table. Also measures
// the baseline of one durable row per transaction.
import { sql } from 'kysely';
import type { Db } from '../../src/kernel/ports/db.ts';
import { sqlOf } from '../../src/store/platform/db.ts';

export type Progress = {
  readonly stored: number;
  readonly published: number;
  /** Items with a story. */
  readonly assigned: number;
};

export async function readProgress(db: Db): Promise<Progress> {
  const { rows } = await sql<Progress>`
    SELECT (SELECT count(*)::int FROM items) AS stored,
      (SELECT count(*)::int FROM public_items) AS published,
      (SELECT count(*)::int FROM story_members) AS assigned`.execute(sqlOf(db));
  return rows[0] ?? { stored: 0, published: 0, assigned: 0 };
}

export type TableBytes = {
  readonly table: string;
  readonly rows: number;
  /** Bytes of the rows, including values that are stored outside of their row. */
  readonly heap: number;
  readonly indexes: number;
};

export async function vacuumTables(db: Db): Promise<void> {
  await sql`VACUUM`.execute(sqlOf(db));
}

/** Bytes of all tables with their indexes. */
export async function databaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname IN ('public', 'partitions')`.execute(sqlOf(db));
  return rows[0]?.bytes ?? 0;
}

/** Tables of more than 200 kB after vacuum, largest first. Partitions are added to their table. */
export async function readTableBytes(db: Db): Promise<readonly TableBytes[]> {
  await sql`VACUUM ANALYZE`.execute(sqlOf(db));
  const { rows } = await sql<TableBytes>`
    SELECT regexp_replace(c.relname, '_(\\d{4}_\\d{2}|other)$', '') AS table,
      sum(greatest(c.reltuples, 0))::int AS rows, sum(pg_table_size(c.oid))::bigint AS heap,
      sum(pg_indexes_size(c.oid))::bigint AS indexes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname IN ('public', 'partitions')
    GROUP BY 1 HAVING sum(pg_total_relation_size(c.oid)) > 200000
    ORDER BY sum(pg_total_relation_size(c.oid)) DESC`.execute(sqlOf(db));
  return rows;
}

/** Inserted rows per second. Each row has its own transaction, one after another. */
export async function measurePlainRows(db: Db, texts: readonly string[]): Promise<number> {
  const query = sqlOf(db);
  await sql`CREATE TABLE plain_rows (id integer PRIMARY KEY, content text)`.execute(query);
  const startedAt = performance.now();
  for (const [id, text] of texts.entries()) {
    await sql`INSERT INTO plain_rows VALUES (${id}, ${text})`.execute(query);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await sql`DROP TABLE plain_rows`.execute(query);
  return texts.length / seconds;
}
