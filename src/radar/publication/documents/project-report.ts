// Projects stored reports to public documents: the public entries and the corrections. Corrections
// of items are read from the items' history, so a report does not store them a second time.
import { foldWhitespace } from '../../../kernel/text/text.ts';
import { citesOf, entriesOf } from '../../../store/radar/publication/report-content.ts';
import {
  listCorrectionsOfReports,
  type StoredCorrection,
} from '../../../store/radar/publication/report-corrections.ts';
import {
  listActionsOnItems,
  listItemOverrides,
  listSourceTitles,
  type SourceTitle,
} from '../../../store/radar/publication/report-material.ts';
import { listStoredReports, type StoredReport } from '../../../store/radar/publication/reports.ts';
import { readPinnedTitles } from '../../../store/radar/stories/story-edits.ts';
import type { ReportKind } from '../../../store/schema/stories.ts';
import { type CorrectedText, describeCorrection } from '../../language/describe-correction.ts';
import { foldText } from '../search/fold.ts';
import type { DocumentProjection, Projector } from './projector.ts';
import type { DailyBody, MonthlyBody, ReportCorrection, WeeklyBody } from './report-body.ts';
import { reportMessages } from './report-messages.ts';
import { type ItemTexts, showReport } from './visible-report.ts';

type ItemChangeAction = Awaited<ReturnType<typeof listActionsOnItems>>[number];

type ReportState = {
  /** Public items by id. */
  readonly publicItems: ReadonlyMap<string, SourceTitle>;
  readonly itemTexts: ReadonlyMap<string, ItemTexts>;
  /** Operators' titles of stories, by item. */
  readonly storyTitles: ReadonlyMap<string, string>;
  /** All actions of operators on items that the report cites. */
  readonly actions: readonly ItemChangeAction[];
  /** Operators' corrections of the report itself. */
  readonly corrections: readonly StoredCorrection[];
};

/** A report without remaining entries stays public. */
const projectorOf =
  (kind: ReportKind): Projector =>
  async (_world, tx, keys) => {
    const reports = await listStoredReports(tx, kind, keys);
    const citedIds = [...new Set(reports.flatMap((report) => citesOf(report.content)))];
    const state: ReportState = {
      publicItems: await listSourceTitles(tx, citedIds),
      storyTitles: await readPinnedTitles(tx, citedIds),
      itemTexts: new Map(
        (await listItemOverrides(tx, citedIds)).map((override) => [override.item_id, override]),
      ),
      actions: await listActionsOnItems(tx, citedIds),
      corrections: await listCorrectionsOfReports(tx, kind, keys),
    };
    return new Map(reports.map((report) => [report.key, projectReport(report, state)]));
  };

export const projectDailies = projectorOf('daily');
export const projectWeeklies = projectorOf('weekly');
export const projectMonthlies = projectorOf('monthly');

function projectReport(
  report: StoredReport,
  state: ReportState,
): DocumentProjection & { readonly body: DailyBody | WeeklyBody | MonthlyBody } {
  const { kind, key, content } = report;
  const corrections = listCorrections(report, state);
  const { lead, headline, overview, sections, flashes } = showReport(content, state);
  const period = {
    generatedAt: Math.max(report.generated_at, corrections[0]?.at ?? 0),
    windowStart: report.window_start,
    windowEnd: report.window_end,
    corrections,
  };
  const cites = citesOf(content);
  const sortAt = report.window_end;
  if (kind === 'daily') {
    const plainSections = sections.map(({ summary: _summary, ...section }) => section);
    return {
      body: { kind, date: key, ...period, lead, sections: plainSections, flashes },
      cites,
      sortAt,
    };
  }
  const days = { periodStart: content.firstDay, periodEnd: content.lastDay };
  return { body: { kind, key, ...days, ...period, headline, overview, sections }, cites, sortAt };
}

/** Newest first. */
function listCorrections(report: StoredReport, state: ReportState): readonly ReportCorrection[] {
  const { kind, key, content } = report;
  const { notes } = reportMessages[content.language];
  const knownActionIds = new Set(content.knownActions);
  const entries = new Set(entriesOf(content).map((entry) => entry.itemId));
  const citedIds = new Set(citesOf(content));
  const actionNotes = state.actions
    .filter((change) => citedIds.has(change.item_id) && !knownActionIds.has(change.id))
    .filter(
      (change) =>
        change.action !== 'correct' || (entries.has(change.item_id) && changesText(change)),
    )
    .map((change) => ({
      id: change.id,
      at: change.at,
      note: describeChange(report, change, state),
    }));
  const isNoteHidden = createNoteFilter(report, state);
  const operatorCorrections = state.corrections
    .filter((correction) => correction.kind === kind && correction.key === key)
    .map((correction) => ({
      ...correction,
      note: isNoteHidden(correction) ? notes.edited : correction.note,
    }));
  return [...actionNotes, ...operatorCorrections]
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .map(({ at, note }) => ({ at, note }));
}

/** The public note about an operator's action. It does not describe a withdrawn item. */
function describeChange(
  { content }: StoredReport,
  change: ItemChangeAction,
  state: ReportState,
): string {
  const noteText = reportMessages[content.language].notes[change.action];
  const entry = entriesOf(content).find(({ itemId }) => itemId === change.item_id);
  if (change.action !== 'correct' || entry === undefined) return noteText;
  if (!state.publicItems.has(change.item_id)) return noteText;
  const changes = state.actions.filter(
    (action) => action.item_id === change.item_id && changesText(action),
  );
  const { title, summary } = entry;
  const earlierChanges = changes
    .filter(({ at }) => at < change.at)
    .map((earlierChange) => correctedTextOf(entry, earlierChange));
  const before: CorrectedText = Object.assign({ title, summary }, ...earlierChanges);
  const after = { ...before, ...correctedTextOf(entry, change) };
  return describeCorrection(content.language, before, after) ?? noteText;
}

/** The texts that an action sets. A null field restores the text of the report. */
function correctedTextOf(
  texts: CorrectedText,
  { fields }: ItemChangeAction,
): Partial<CorrectedText> {
  const { title, summary } = fields as Partial<Record<'title' | 'summary', string | null>>;
  return {
    ...(title !== undefined && { title: title ?? texts.title }),
    ...(summary !== undefined && { summary: summary ?? texts.summary }),
  };
}

const changesText = ({ fields }: ItemChangeAction) => 'title' in fields || 'summary' in fields;

/** Minimum length of a repeated text. Shorter texts occur by chance. */
const DISTINCT_LENGTH_MIN = 8;

/**
 * Returns a function that is true for a hidden note. An operator's note from before a withdrawal is
 * hidden, because it may mention the item in other words. A later note is hidden when it repeats
 * the item's text.
 */
function createNoteFilter(report: StoredReport, state: ReportState): (note: DatedNote) => boolean {
  const withdrawnIds = new Set(citesOf(report.content).filter((id) => !state.publicItems.has(id)));
  const changes = state.actions.filter((change) => withdrawnIds.has(change.item_id));
  const entryTexts = entriesOf(report.content)
    .filter((entry) => withdrawnIds.has(entry.itemId))
    .flatMap(({ title, summary, edit }) => [title, summary, edit?.title, edit?.summary]);
  const hiddenTexts = [...entryTexts, ...changes.flatMap(({ fields }) => Object.values(fields))]
    .filter((text) => typeof text === 'string')
    .map(foldNote)
    .filter((text) => text.length >= DISTINCT_LENGTH_MIN);
  return ({ at, note }) =>
    changes.some((change) => change.action === 'withdraw' && at <= change.at) ||
    hiddenTexts.some((text) => foldNote(note).includes(text));
}

type DatedNote = { readonly at: number; readonly note: string };

const foldNote = (text: string) => foldWhitespace(foldText(text));
