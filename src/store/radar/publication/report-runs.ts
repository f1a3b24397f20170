// Only this file writes `report_runs`: attempts to write a report, with their outcomes. A period
// without items also gets a row. Without it, the report would be attempted again every minute.
import type { Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ReportKind } from '../../schema/stories.ts';

export type ReportRun = Readonly<Selectable<Schema['report_runs']>>;

export async function addReportRun(db: Db, run: ReportRun): Promise<void> {
  await sqlOf(db)
    .insertInto('report_runs')
    .values({ ...run, at: toTimestamp(run.at) })
    .execute();
}

export async function listEmptyReports(
  db: Db,
): Promise<readonly { readonly kind: ReportKind; readonly key: string }[]> {
  return sqlOf(db)
    .selectFrom('report_runs')
    .select(['kind', 'key'])
    .distinct()
    .where('outcome', '=', 'empty')
    .execute();
}

/** Whether an earlier run found no items in the period of this report. */
export async function isKnownEmpty(db: Db, kind: ReportKind, key: string): Promise<boolean> {
  const row = await sqlOf(db)
    .selectFrom('report_runs')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('outcome', '=', 'empty')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first. */
export async function listLatestReportRuns(db: Db, limit: number): Promise<readonly ReportRun[]> {
  return sqlOf(db)
    .selectFrom('report_runs')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
