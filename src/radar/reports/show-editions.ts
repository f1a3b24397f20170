// Editions for operators: those that stand, what each entry says by whose hand, and the one that
// comes next as it would be written at this moment.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  type EntryEdit,
  entriesOf,
  type ReportContent,
} from '../../store/radar/publication/report-content.ts';
import { findReport, newestReports } from '../../store/radar/publication/reports.ts';
import { type EditionKind, nextEdition, type ReportEdition } from './editions.ts';
import { compose, type ReportDesk } from './write-reports.ts';

export type ListedEdition = {
  readonly key: string;
  readonly generatedAt: number;
  readonly version: number;
};

/** Newest first. */
export async function listEditions(
  db: Db,
  kind: EditionKind,
  limit: number,
): Promise<readonly ListedEdition[]> {
  const rows = await newestReports(db, kind, limit);
  return rows.map((row) => ({
    key: row.key,
    generatedAt: row.generated_at,
    version: row.version,
  }));
}

export type EditedEntry = {
  readonly itemId: string;
  /** As the desk had it that day. */
  readonly title: string;
  readonly summary: string | null;
  readonly edit: EntryEdit;
};

/** Every entry that was written, those that were taken out included; null: no such edition. */
export async function editedEntries(
  db: Db,
  kind: EditionKind,
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

/** `content` null: there is nothing to tell yet. Nothing is written. */
export async function previewEdition(
  world: World,
  db: Db,
  desk: ReportDesk,
  kind: EditionKind,
): Promise<{ readonly edition: ReportEdition; readonly content: ReportContent | null }> {
  const edition = nextEdition(kind, world.clock.now());
  return { edition, content: await compose(db, desk, edition) };
}
