// The page of one report. An operator corrects the texts of entries, removes or restores entries,
// and adds a note to readers.
import { unreachable } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderTextDiff } from '../../../kernel/html/text-diff.ts';
import { langAttribute, markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  renderButton,
  renderConflictNotice,
  renderErrorSummary,
  renderPostForm,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  type CorrectReportResult,
  correctReport,
  type ReportChange,
} from '../../reports/correct-report.ts';
import { type EditedEntry, readEditedEntries } from '../../reports/list-reports.ts';
import type { ReportPeriod } from '../../reports/report-periods.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { findLastEditor, renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages, type RadarDoneCode } from '../messages/messages.ts';
import { requireReportKind } from './reports.ts';

async function findReport(context: RadarPageContext, { params }: RadarAdminRequest) {
  const kind = requireReportKind(params.kind);
  const key = params.key ?? '';
  const report = await readEditedEntries(context.db, kind, key);
  if (report === null) throw noReportFault(kind, key);
  return { kind, key, ...report };
}

const noReportFault = (kind: ReportPeriod['kind'], key: string) =>
  new Fault('not_found', `There is no ${kind} report ${key}.`, {
    inChinese: `没有 ${key} 这一期。`,
  });

type EditedReport = Awaited<ReturnType<typeof findReport>>;

/** The submitted input for one entry, or for the note of the report (`itemId` null). */
type ReportInput = {
  readonly itemId: string | null;
  readonly title: string;
  readonly summary: string;
  readonly note: string;
};

export async function reportPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const report = await findReport(context, request);
  return renderReport(context, report, { notice: renderDoneNotice(context, request) });
}

async function renderReport(
  context: RadarPageContext,
  report: EditedReport,
  view: { notice?: Html; formInput?: ReportInput; status?: number; error?: string },
): Promise<RadarAdminResponse> {
  const { site } = context;
  const messages = adminMessages(site.language);
  const { kind, key, entries } = report;
  const { formInput, error } = view;
  const note = formInput?.itemId === null ? formInput.note : '';
  const title = `${messages.reportKinds[kind]} · ${formatIssueName(kind, key, site.language)}`;
  const publicUrl = `/${kind}/${key}`;
  const publicLink = html`<a class="button quiet" href="${publicUrl}">${messages.publicPage}</a>`;
  return {
    kind: 'page',
    status: view.status ?? 200,
    title,
    section: 'reports',
    main: html`${renderPageHead(title, messages.reportAbout(entries.length), publicLink)}
${view.notice}${renderErrorSummary(context, error === undefined ? {} : { '': error })}
<ol class="entries">${entries.map((entry) => renderEntry(context, report, entry, formInput))}</ol>
<section class="part"><h2 class="side">${messages.noteToReaders}</h2>
${renderForm(
  context,
  report,
  'note',
  html`<div class="field"><label for="f-note">${messages.noteText}</label>
<input id="f-note" name="note" type="text" value="${note}">\
</div>${renderButton(messages.addNote, 'quiet')}`,
)}</section>
${await renderAuditTable(context, { kind: 'report', subject: `${kind}/${key}` })}`,
  };
}

function renderForm(
  context: RadarPageContext,
  report: EditedReport,
  actionName: string,
  body: Html,
): Html {
  const action = `/admin/reports/${report.kind}/${report.key}`;
  const hiddenFields = html`<input type="hidden" name="act" value="${actionName}">${body}`;
  return renderPostForm(context, { action, version: report.version }, hiddenFields);
}

function renderEntry(
  context: RadarPageContext,
  report: EditedReport,
  entry: EditedEntry,
  formInput: ReportInput | undefined,
): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  const lang = (text: string | null) => langAttribute(text ?? '', language);
  const { itemId, edit } = entry;
  const hasInput = formInput?.itemId === itemId;
  const values = hasInput
    ? formInput
    : { title: edit.title ?? entry.title, summary: edit.summary ?? entry.summary ?? '', note: '' };
  const item = html`<input type="hidden" name="item" value="${itemId}">`;
  const renderField = (name: 'title' | 'summary', rows: number) => {
    const id = `f-${name}-${itemId}`;
    return html`<div class="field"><label for="${id}">${messages[name]}</label>
<textarea id="${id}" name="${name}" rows="${rows}" aria-describedby="h-${id}">
${values[name]}</textarea>\
<p class="help" id="h-${id}">${fieldHelp(context, entry, name)}</p>\
</div>`;
  };
  const noteId = `f-note-${itemId}`;
  const fields = html`${item}${renderField('title', 2)}${renderField('summary', 4)}
<div class="field"><label for="${noteId}">${messages.noteForReaders}</label>
<input id="${noteId}" name="note" type="text" value="${values.note}">\
</div>${renderButton(messages.saveCorrection)}`;
  const isRemoved = edit.isRemoved === true;
  const removalForm = isRemoved
    ? renderForm(context, report, 'restore', html`${item}${renderButton(messages.putBack, 'link')}`)
    : renderForm(context, report, 'remove', html`${item}${renderButton(messages.takeOut, 'link')}`);
  return html`<li${isRemoved && html` class="is-out"`}><h2>\
<a href="/admin/items/${itemId}"${lang(edit.title ?? entry.title)}>\
${edit.title ?? entry.title}</a></h2>
<p class="says"${lang(edit.summary ?? entry.summary)}>${edit.summary ?? entry.summary}</p>
<div class="acts">${removalForm}\
<details${hasInput && html` open`}><summary>${messages.correct}</summary>\
${renderForm(context, report, 'edit', fields)}</details></div></li>
`;
}

/** Shows the radar's text, or the difference between the radar's text and a corrected text. */
function fieldHelp(
  { site: { language } }: RadarPageContext,
  entry: EditedEntry,
  name: 'title' | 'summary',
): Html {
  const messages = editingMessages(language);
  const [originalText, corrected] = [entry[name] ?? '', entry.edit[name] ?? null];
  if (corrected === null || corrected === originalText) {
    return html`${messages.textHelp} ${markLanguage(originalText || '–', language)}`;
  }
  return html`${messages.changedFrom} ${renderTextDiff(originalText, corrected, language)}`;
}

/** The code of the confirmation after each action. */
const doneCodes = {
  edit: 'correct',
  remove: 'remove',
  restore: 'putBack',
  note: 'note',
} as const satisfies Record<ReportChange['action'], RadarDoneCode>;

export async function changeReport(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, reports, site } = context;
  const messages = adminMessages(site.language);
  const report = await findReport(context, request);
  const { kind, key } = report;
  const note = textOf(request.form, 'note');
  const formInput = readReportInput(request.form);
  const change = readChange(request.form, report);
  if (change === null || (change.action === 'note' && note === null)) {
    return renderReport(context, report, { error: messages.noteMissing, formInput, status: 422 });
  }
  const version = versionOf(request.form) ?? -1;
  const correction = { kind, key, version, change, note, actor: session.name };
  const result = await withAudit<CorrectReportResult>(world, db, session, async (tx) => {
    const outcome = await correctReport(world, tx, reports, correction);
    if (outcome.kind !== 'corrected') return { outcome, entry: null };
    const { action, ...after } = change;
    const states = { before: storedEditOf(report, formInput.itemId), after, note };
    return { outcome, entry: { action, kind: 'report', subject: `${kind}/${key}`, ...states } };
  });
  const path = `/admin/reports/${kind}/${key}`;
  switch (result.kind) {
    case 'corrected':
      return confirmAction(context, result.seq, path, doneCodes[change.action]);
    case 'unchanged':
      return confirmAction(context, null, path, 'unchanged');
    case 'conflict':
      return renderConflict(context, request, formInput);
    case 'unknown_report':
    case 'unknown_entry':
      throw new Fault('not_found', `The ${kind} report ${key} has no such entry.`, {
        inChinese: '这一期没有这则内容。',
      });
    default:
      return unreachable(result);
  }
}

function readReportInput(form: URLSearchParams): ReportInput {
  const submittedText = (name: string) => textOf(form, name) ?? '';
  return {
    itemId: form.get('item'),
    title: submittedText('title'),
    summary: submittedText('summary'),
    note: submittedText('note'),
  };
}

/**
 * Null: the form names no action of the page, or no entry for it. An original or empty text removes
 * a correction.
 */
function readChange(form: URLSearchParams, { entries }: EditedReport): ReportChange | null {
  const [action, itemId] = [form.get('act'), form.get('item')];
  if (action === 'note') return { action };
  if (itemId === null) return null;
  if (action === 'remove' || action === 'restore') return { action, itemId };
  if (action !== 'edit') return null;
  const entry = entries.find((candidate) => candidate.itemId === itemId);
  const correctionOf = (name: 'title' | 'summary') => {
    const text = textOf(form, name);
    return text === entry?.[name] ? null : text;
  };
  return { action, itemId, title: correctionOf('title'), summary: correctionOf('summary') };
}

function storedEditOf({ entries }: EditedReport, itemId: string | null): Record<string, unknown> {
  return { ...(entries.find((entry) => entry.itemId === itemId)?.edit ?? {}) };
}

async function renderConflict(
  context: RadarPageContext,
  request: RadarAdminRequest,
  formInput: ReportInput,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const report = await findReport(context, request);
  const entry = report.entries.find(({ itemId }) => itemId === formInput.itemId);
  const edit = entry?.edit ?? {};
  const differences = (['title', 'summary'] as const)
    .filter(
      (name) =>
        formInput.itemId !== null && (edit[name] ?? entry?.[name] ?? '') !== formInput[name],
    )
    .map((name) => ({
      label: messages[name],
      currentValue: edit[name] ?? entry?.[name] ?? '–',
      formInput: formInput[name] || '–',
    }));
  const editor = await findLastEditor(context, 'report', `${report.kind}/${report.key}`);
  const notice = renderConflictNotice(context, differences, editor);
  return renderReport(context, report, { notice, formInput, status: 409 });
}
