// Only this file writes `reports`: the content of reports before withdrawals and corrections of
// items. Kind and key identify a report. Only operators change stored content, one version at a
// time.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ReportKind } from '../../schema/stories.ts';
import type { ReportContent } from './report-content.ts';

export type StoredReport = Readonly<Omit<Selectable<Schema['reports']>, 'content'>> & {
  readonly content: ReportContent;
};

/** Returns false when the report exists: the first writer wins. */
export async function insertReport(tx: Db, report: StoredReport): Promise<boolean> {
  const result = await sqlOf(tx)
    .insertInto('reports')
    .values({
      ...report,
      window_start: toTimestamp(report.window_start),
      window_end: toTimestamp(report.window_end),
      generated_at: toTimestamp(report.generated_at),
      content: JSON.stringify(report.content),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return result !== undefined;
}

export async function findReport(
  db: Db,
  kind: ReportKind,
  key: string,
): Promise<StoredReport | null> {
  return (await listStoredReports(db, kind, [key]))[0] ?? null;
}

export async function listStoredReports(
  db: Db,
  kind: ReportKind,
  keys: readonly string[],
): Promise<readonly StoredReport[]> {
  if (keys.length === 0) return [];
  const rows = await sqlOf(db)
    .selectFrom('reports')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .orderBy('key')
    .execute();
  return rows.map(toStored);
}

/** Daily reports from the first to the last day, oldest first. */
export async function listDailiesBetween(
  db: Db,
  firstDay: string,
  lastDay: string,
): Promise<readonly StoredReport[]> {
  const rows = await sqlOf(db)
    .selectFrom('reports')
    .selectAll()
    .where('kind', '=', 'daily')
    .where('key', '>=', firstDay)
    .where('key', '<=', lastDay)
    .orderBy('key')
    .execute();
  return rows.map(toStored);
}

export async function listReportKeys(
  db: Db,
): Promise<readonly { readonly kind: ReportKind; readonly key: string }[]> {
  return sqlOf(db).selectFrom('reports').select(['kind', 'key']).execute();
}

/** Newest first. */
export async function listNewestReports(
  db: Db,
  kind: ReportKind,
  limit: number,
): Promise<readonly StoredReport[]> {
  const rows = await sqlOf(db)
    .selectFrom('reports')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('key', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toStored);
}

/** Null: no report of this kind exists. */
export async function findNewestReportKey(db: Db, kind: ReportKind): Promise<string | null> {
  const row = await sqlOf(db)
    .selectFrom('reports')
    .select('key')
    .where('kind', '=', kind)
    .orderBy('key', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.key ?? null;
}

/** Writes an operator's change over version `from`; returns false after a concurrent change. */
export async function saveReportContent(
  tx: Db,
  report: Pick<StoredReport, 'kind' | 'key' | 'content'>,
  from: number,
): Promise<boolean> {
  const saved = await sqlOf(tx)
    .updateTable('reports')
    .set({ content: JSON.stringify(report.content), version: from + 1 })
    .where('kind', '=', report.kind)
    .where('key', '=', report.key)
    .where('version', '=', from)
    .returning('key')
    .executeTakeFirst();
  return saved !== undefined;
}

function toStored(row: Selectable<Schema['reports']>): StoredReport {
  return { ...row, content: row.content as ReportContent };
}
