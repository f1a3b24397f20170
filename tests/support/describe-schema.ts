// Writes the schema of a database as text, like pg_dump. The text is the same for every version of
// PostgreSQL. It omits the names of NOT NULL constraints and the comments in functions.
import { sql } from 'kysely';
import type { Db } from '../../src/kernel/ports/db.ts';
import { sqlOf } from '../../src/store/platform/db.ts';

export async function describeSchema(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    WITH n AS (
      SELECT oid, nspname FROM pg_namespace
      WHERE nspname IN ('public', 'partitions', 'ledger_audit')
    ), c AS (
      SELECT pg_class.*, nspname || '.' || relname AS name
      FROM pg_class JOIN n ON n.oid = relnamespace
    )
    SELECT concat_ws(' ', 'column', name, place, attname, format_type(atttypid, atttypmod),
      attnotnull, attidentity, attgenerated, collname, attstorage, preset) AS line
    FROM (
      SELECT c.name, a.*, co.collname, pg_get_expr(d.adbin, d.adrelid) AS preset,
        row_number() OVER (PARTITION BY c.oid ORDER BY attnum) AS place
      FROM c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_collation co ON co.oid = attcollation
      LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
      WHERE relkind IN ('r', 'p', 'v')
    ) AS columns
    UNION ALL
    SELECT concat_ws(' ', 'relation', name, relkind, relpersistence, reloptions::text,
      pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid),
      CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) WHEN 'i' THEN pg_get_indexdef(oid) END,
      (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = c.oid))
    FROM c
    UNION ALL
    SELECT concat_ws(' ', 'constraint', c.name, conname, pg_get_constraintdef(k.oid), convalidated)
    FROM pg_constraint k JOIN c ON c.oid = conrelid WHERE contype <> 'n'
    UNION ALL
    SELECT concat_ws(' ', 'trigger', c.name, pg_get_triggerdef(t.oid), tgenabled)
    FROM pg_trigger t JOIN c ON c.oid = tgrelid WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function ' || regexp_replace(pg_get_functiondef(p.oid), '^ *--[^\n]*\n', '', 'gn')
    FROM pg_proc p JOIN n ON n.oid = pronamespace
    UNION ALL
    SELECT concat_ws(' ', 'sequence', c.name, seqtypid::regtype, seqstart, seqincrement, seqcache,
      (SELECT refobjid::regclass FROM pg_depend WHERE objid = c.oid AND deptype IN ('a', 'i')
        AND refclassid = 'pg_class'::regclass))
    FROM pg_sequence s JOIN c ON c.oid = seqrelid
    ORDER BY 1`.execute(sqlOf(db));
  return rows.map(({ line }) => line);
}
