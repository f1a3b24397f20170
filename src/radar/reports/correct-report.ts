// An operator's change to a stored report: a changed text, an entry removed or restored, a note.
// Each change adds one version and one public correction. It is public at the commit.
import { unreachable } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import {
  type ContentEntry,
  type EntryEdit,
  entriesOf,
  type ReportContent,
} from '../../store/radar/publication/report-content.ts';
import { addReportCorrection } from '../../store/radar/publication/report-corrections.ts';
import { findReport, saveReportContent } from '../../store/radar/publication/reports.ts';
import type { ReportKind } from '../../store/schema/stories.ts';
import { describeCorrection } from '../language/describe-correction.ts';
import type { ReportContext } from './write-reports.ts';

export type ReportChange =
  /** An absent field is unchanged; null removes the operator's text. */
  | {
      readonly action: 'edit';
      readonly itemId: string;
      readonly title?: string | null;
      readonly summary?: string | null;
    }
  | { readonly action: 'remove' | 'restore'; readonly itemId: string }
  | { readonly action: 'note' };

export type CorrectReportResult =
  /** `seq`: the publication's number that every node must reach. */
  | { readonly kind: 'corrected'; readonly version: number; readonly seq: number }
  | { readonly kind: 'unknown_report' }
  | { readonly kind: 'unknown_entry' }
  /** The report has this content already. */
  | { readonly kind: 'unchanged'; readonly version: number }
  /** Another change came after `version` was read; the report is at `current` now. */
  | { readonly kind: 'conflict'; readonly current: number };

export type Correction = {
  readonly kind: ReportKind;
  readonly key: string;
  /** Version that the operator saw; undefined: no check. */
  readonly version: number | undefined;
  readonly change: ReportChange;
  /**
   * One line for readers; null: a standard text. The action `note` needs a text.
   */
  readonly note: string | null;
  readonly actor: string;
};

export async function correctReport(
  world: World,
  db: Db,
  context: Pick<ReportContext, 'publish'>,
  correction: Correction,
): Promise<CorrectReportResult> {
  const { kind, key, change } = correction;
  return inTransaction(db, async (tx) => {
    await lockPublication(world, tx);
    const report = await findReport(tx, kind, key);
    if (report === null) return { kind: 'unknown_report' };
    const { version, content } = report;
    if (correction.version !== undefined && correction.version !== version) {
      return { kind: 'conflict', current: version };
    }
    const itemId = change.action === 'note' ? null : change.itemId;
    const entry = entriesOf(content).find((entry) => entry.itemId === itemId);
    if (itemId !== null && entry === undefined) return { kind: 'unknown_entry' };
    const editedContent = entry === undefined ? content : editEntry(content, entry, change);
    if (editedContent === null) return { kind: 'unchanged', version };
    if (!(await saveReportContent(tx, { kind, key, content: editedContent }, version))) {
      return { kind: 'conflict', current: version };
    }
    await addReportCorrection(tx, {
      id: world.ids.next(),
      kind,
      key,
      at: world.clock.now(),
      actor: correction.actor,
      note:
        correction.note ??
        (entry === undefined ? null : describeEdit(content.language, entry, change)) ??
        plainNotes[content.language][change.action],
      item_id: itemId,
    });
    const seq = await context.publish(world, tx, [{ kind, key }]);
    return { kind: 'corrected', version: version + 1, seq };
  });
}

/** Null when there is nothing to describe. */
function describeEdit(
  language: ReportContent['language'],
  entry: ContentEntry,
  change: ReportChange,
): string | null {
  if (change.action !== 'edit') return null;
  const before = { title: entry.title, summary: entry.summary, ...entry.edit };
  const { title, summary } = change;
  return describeCorrection(language, before, {
    title: title === undefined ? before.title : (title ?? entry.title),
    summary: summary === undefined ? before.summary : (summary ?? entry.summary),
  });
}

const plainNotes = {
  en: {
    edit: 'An entry was corrected.',
    remove: 'An entry was removed.',
    restore: 'An entry was restored.',
    note: 'This report was corrected.',
  },
  'zh-CN': {
    edit: '一则内容已更正。',
    remove: '一则内容已删除。',
    restore: '一则内容已恢复。',
    note: '本期内容已更正。',
  },
} as const;

/** Null when the change has no effect. */
function editEntry(
  content: ReportContent,
  entry: ContentEntry,
  change: ReportChange,
): ReportContent | null {
  const before = entry.edit ?? {};
  const after = applyEdit(before, change);
  if (JSON.stringify(comparedFields(before)) === JSON.stringify(comparedFields(after))) return null;
  const edit = (candidate: ContentEntry) =>
    candidate.itemId === entry.itemId ? { ...candidate, edit: after } : candidate;
  return {
    ...content,
    sections: content.sections.map((section) => ({
      ...section,
      entries: section.entries.map(edit),
    })),
    flashes: content.flashes.map(edit),
  };
}

const comparedFields = ({ title, summary, isRemoved }: EntryEdit) => [title, summary, isRemoved];

function applyEdit(before: EntryEdit, change: ReportChange): EntryEdit {
  switch (change.action) {
    case 'edit': {
      const { title = before.title, summary = before.summary } = change;
      return {
        ...(before.isRemoved && { isRemoved: true }),
        ...(typeof title === 'string' && { title }),
        ...(typeof summary === 'string' && { summary }),
      };
    }
    case 'remove':
      return { ...before, isRemoved: true };
    case 'restore': {
      const { isRemoved: _removed, ...otherEdits } = before;
      return otherEdits;
    }
    case 'note':
      return before;
    default:
      return unreachable(change);
  }
}
