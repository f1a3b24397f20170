// Reads a report for operators: its public content, and the version that a correction refers to.
import type { Db } from '../../../kernel/ports/db.ts';
import { listPublicDocuments } from '../../../store/radar/publication/public-documents.ts';
import { findNewestReportKey, findReport } from '../../../store/radar/publication/reports.ts';
import type { ReportKind } from '../../../store/schema/stories.ts';
import type { BodyOf } from './bodies.ts';

export type ReportRecord = {
  readonly version: number;
  readonly body: BodyOf<ReportKind>;
};

/** `requestedKey`: null for the newest report of the kind. Returns null when there is none. */
export async function readReportRecord(
  db: Db,
  kind: ReportKind,
  requestedKey: string | null,
): Promise<ReportRecord | null> {
  const key = requestedKey ?? (await findNewestReportKey(db, kind));
  if (key === null) return null;
  const report = await findReport(db, kind, key);
  const [document] = await listPublicDocuments(db, [{ kind, key }]);
  if (report === null || document === undefined) return null;
  return { version: report.version, body: document.body as BodyOf<ReportKind> };
}
