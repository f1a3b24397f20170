// Only this file writes `report_corrections`: operators' changes of reports, as text for readers.
// Rows are only added.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ReportKind } from '../../schema/stories.ts';

export type StoredCorrection = Readonly<Selectable<Schema['report_corrections']>>;

export async function addReportCorrection(tx: Db, correction: StoredCorrection): Promise<void> {
  await sqlOf(tx)
    .insertInto('report_corrections')
    .values({ ...correction, at: toTimestamp(correction.at) })
    .execute();
}

/** Newest first. */
export async function listCorrectionsOfReports(
  db: Db,
  kind: ReportKind,
  keys: readonly string[],
): Promise<readonly StoredCorrection[]> {
  if (keys.length === 0) return [];
  return sqlOf(db)
    .selectFrom('report_corrections')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
