// Lists what a backup copies: the tables of the migrations with their columns, ordered by
// references, and the sequences. The queue's schema is excluded, because `run-due.ts` finds all due
// work in the other tables.
import { sql } from 'kysely';
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { QUEUE_SCHEMA } from '../platform/queue.ts';

export type CatalogTable = {
  /** With the schema: `public.items`. */
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
  readonly hasTriggers: boolean;
};

/** Excludes schemas of the server, of extensions and of the queue. */
const isUserSchema = sql`n.nspname NOT IN (${QUEUE_SCHEMA}, 'information_schema')
  AND n.nspname !~ '^pg_'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
    AND d.objid = c.oid AND d.deptype = 'e')`;

export async function readTables(tx: Db): Promise<readonly CatalogTable[]> {
  const { rows } = await sql<CatalogTable & { referencedTables: readonly string[] }>`
    SELECT n.nspname || '.' || c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attgenerated = '') AS columns,
      EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
        AS "hasTriggers",
      ARRAY(SELECT DISTINCT fn.nspname || '.' || f.relname FROM pg_constraint k
        JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
        WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid)
        AS "referencedTables"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${isUserSchema}
    ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`.execute(sqlOf(tx));
  return sortByReferences(rows);
}

/** Orders each table after the tables that its rows reference. */
function sortByReferences(
  tables: readonly (CatalogTable & { readonly referencedTables: readonly string[] })[],
): readonly CatalogTable[] {
  const sortedTables = new Map<string, CatalogTable>();
  while (sortedTables.size < tables.length) {
    const next = tables.filter(
      ({ name, referencedTables }) =>
        !sortedTables.has(name) && referencedTables.every((table) => sortedTables.has(table)),
    );
    assert(next.length > 0, 'tables do not refer to each other in a circle');
    for (const { referencedTables: _, ...table } of next) sortedTables.set(table.name, table);
  }
  return [...sortedTables.values()];
}

/**
 * Sequences in use, each with its last number. They are read after the rows, so no stored number
 * is above the last number of its sequence.
 */
export async function readSequences(
  tx: Db,
): Promise<readonly { readonly name: string; readonly last: string }[]> {
  const { rows } = await sql<{ name: string; last: string }>`
    SELECT s.schemaname || '.' || s.sequencename AS name, s.last_value::text AS last
    FROM pg_sequences s JOIN pg_namespace n ON n.nspname = s.schemaname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = s.sequencename
    WHERE s.last_value IS NOT NULL AND ${isUserSchema} ORDER BY 1`.execute(sqlOf(tx));
  return rows;
}

/** All sequences, including unused ones. */
export async function listSequenceNames(tx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'S' AND ${isUserSchema}`.execute(sqlOf(tx));
  return rows.map(({ name }) => name);
}

/** The number of tables, views and sequences, including those of the queue. */
export async function countRelations(tx: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND (n.nspname = ${QUEUE_SCHEMA} OR ${isUserSchema})`.execute(sqlOf(tx));
  return rows[0]?.count ?? 0;
}
