// Only this file writes `operator_audit`: changes by operators. The database refuses every change
// of a row.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type AuditRow = Readonly<Selectable<Schema['operator_audit']>>;

export async function insertAuditRow(tx: Db, row: AuditRow): Promise<void> {
  await sqlOf(tx)
    .insertInto('operator_audit')
    .values({
      ...row,
      at: toTimestamp(row.at),
      before: JSON.stringify(row.before),
      after: JSON.stringify(row.after),
    })
    .execute();
}

/** Concurrent submissions of one form wait for each other. */
export async function lockForm(tx: Db, form: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`form ${form}`}, 0))`.execute(
    sqlOf(tx),
  );
}

export type AuditQuery = {
  readonly kinds: readonly string[];
  readonly subject: string | null;
  readonly limit: number;
  readonly skip: number;
};

/** Newest first. */
export async function listAuditRows(
  db: Db,
  { kinds, subject, limit, skip }: AuditQuery,
): Promise<readonly AuditRow[]> {
  let query = sqlOf(db)
    .selectFrom('operator_audit')
    .selectAll()
    .where('kind', 'in', [...kinds]);
  if (subject !== null) query = query.where('subject', '=', subject);
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).offset(skip).execute();
}

export type AuditFilter = {
  /** Null: every kind. */
  readonly kinds: readonly string[] | null;
  readonly subject: string | null;
  /** Epoch milliseconds, `from` included and `to` not; null: unlimited. */
  readonly from: number | null;
  readonly to: number | null;
};

/** Returns rows, oldest first. `last`: only rows after this one; null: all rows. */
export async function listAuditRowsAfter(
  db: Db,
  { kinds, subject, from, to }: AuditFilter,
  { last, limit }: { readonly last: AuditRow | null; readonly limit: number },
): Promise<readonly AuditRow[]> {
  let query = sqlOf(db).selectFrom('operator_audit').selectAll();
  if (kinds !== null) query = query.where('kind', 'in', [...kinds]);
  if (subject !== null) query = query.where('subject', '=', subject);
  if (from !== null) query = query.where('at', '>=', instant(from));
  if (to !== null) query = query.where('at', '<', instant(to));
  if (last !== null) {
    query = query.where(sql<boolean>`(at, id) > (${instant(last.at)}, ${last.id})`);
  }
  return query.orderBy('at').orderBy('id').limit(limit).execute();
}
