// Reports for operators: stored reports, the entries of a report for the editor, and a preview of
// the next report.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  type EntryEdit,
  entriesOf,
  type ReportContent,
} from '../../store/radar/publication/report-content.ts';
import { findReport, listNewestReports } from '../../store/radar/publication/reports.ts';
import type { ReportKind } from '../../store/schema/stories.ts';
import { nextPeriod, type ReportPeriod } from './report-periods.ts';
import { composeContent, type ReportContext } from './write-reports.ts';

export type ListedReport = {
  readonly key: string;
  /** The title of its first entry; null: every entry was removed. */
  readonly title: string | null;
  readonly generatedAt: number;
  readonly version: number;
};

/** Newest first. */
export async function listReports(
  db: Db,
  kind: ReportKind,
  limit: number,
): Promise<readonly ListedReport[]> {
  const rows = await listNewestReports(db, kind, limit);
  return rows.map((row) => ({
    key: row.key,
    title: leadTitle(row.content),
    generatedAt: row.generated_at,
    version: row.version,
  }));
}

function leadTitle(content: ReportContent): string | null {
  const entries = entriesOf(content).filter(({ edit }) => edit?.isRemoved !== true);
  const [lead] = content.leads.flatMap((id) => entries.find(({ itemId }) => itemId === id) ?? []);
  const leadEntry = lead ?? entries[0];
  return leadEntry?.edit?.title ?? leadEntry?.title ?? null;
}

export type EditedEntry = {
  readonly itemId: string;
  /** The text of the entry without an operator's edit. */
  readonly title: string;
  readonly summary: string | null;
  readonly edit: EntryEdit;
};

/** All entries, including removed ones; null: the report does not exist. */
export async function readEditedEntries(
  db: Db,
  kind: ReportKind,
  key: string,
): Promise<{ readonly version: number; readonly entries: readonly EditedEntry[] } | null> {
  const report = await findReport(db, kind, key);
  if (report === null) return null;
  const entries = entriesOf(report.content).map(({ itemId, title, summary, edit = {} }) => ({
    itemId,
    title,
    summary,
    edit,
  }));
  return { version: report.version, entries };
}

/** `content` null: no news yet. Nothing is stored. */
export async function previewReport(
  world: World,
  db: Db,
  context: ReportContext,
  kind: ReportKind,
): Promise<{ readonly period: ReportPeriod; readonly content: ReportContent | null }> {
  const period = nextPeriod(kind, world.clock.now());
  return { period, content: await composeContent(db, context, period) };
}
