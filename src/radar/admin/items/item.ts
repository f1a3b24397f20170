// The page of one item: the source's text, the enrichment, and the operators' corrections.
import { unreachable } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing, webAddress } from '../../../kernel/html/html.ts';
import { renderTextDiff } from '../../../kernel/html/text-diff.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderChoiceField,
  renderConflictNotice,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { changedFields, listAuditLines, withAudit } from '../../../operators/audit-log.ts';
import {
  type ChangeItemResult,
  changeItem,
  type ItemChange,
} from '../../publication/change-item.ts';
import { checkCorrection, cleanCorrection } from '../../publication/check-correction.ts';
import { type EditedItem, readEditedItem } from '../../publication/operator-items.ts';
import { readWithdrawalEffects } from '../../publication/withdrawal-effects.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { findLastEditor, renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages } from '../messages/messages.ts';
import { renderEnrichmentSteps } from './enrichment-steps.ts';

type ItemFields = { readonly title: string; readonly summary: string; readonly category: string };
const fieldNames = ['title', 'summary', 'category'] as const;

async function requireItem(
  { db }: RadarPageContext,
  { params }: RadarAdminRequest,
): Promise<EditedItem> {
  const item = await readEditedItem(db, params.id ?? '');
  if (item === null) throw noItemFault(params.id ?? '');
  return item;
}

const noItemFault = (id: string) =>
  new Fault('not_found', `There is no item ${id}.`, { inChinese: `没有条目 ${id}。` });

/** The texts that readers see now. */
const currentTexts = (item: EditedItem): ItemFields => ({
  title: item.corrections.title ?? radarText(item, 'title'),
  summary: item.corrections.summary ?? radarText(item, 'summary'),
  category: item.corrections.category ?? radarText(item, 'category'),
});

/** The text of the radar, without the operator's correction. */
function radarText({ enrichment, sourceTitle }: EditedItem, name: keyof ItemFields): string {
  return enrichment?.[name] ?? (name === 'title' ? sourceTitle : '');
}

export async function itemPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const item = await requireItem(context, request);
  const notice = renderDoneNotice(context, request, await renderUndoButton(context, request, item));
  return renderItem(context, item, { values: currentTexts(item), notice });
}

/** A button that restores the state before the last action. */
async function renderUndoButton(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
  item: EditedItem,
): Promise<Html> {
  const doneCode = query.get('done');
  const label = editingMessages(context.site.language).undo;
  const path = `/admin/items/${item.id}`;
  const { version } = item;
  if (doneCode === 'withdraw' && item.isWithdrawn) {
    return renderPostForm(
      context,
      { action: `${path}/restore`, version },
      renderButton(label, 'link'),
    );
  }
  if (doneCode !== 'correct') return nothing;
  const auditQuery = { kinds: ['item'], subject: item.id, limit: 1, skip: 0 } as const;
  const [lastChange] = await listAuditLines(context.db, auditQuery);
  if (lastChange?.action !== 'correct') return nothing;
  const before = { ...item.corrections, ...lastChange.before } as Readonly<Record<string, unknown>>;
  const fields = fieldNames.map(
    (name) => html`<input type="hidden" name="${name}" value="${String(before[name] ?? '')}">`,
  );
  return renderPostForm(
    context,
    { action: `${path}/correct`, version },
    html`${fields}\
${renderButton(label, 'link')}`,
  );
}

type ItemPageView = {
  readonly values: ItemFields;
  readonly note?: string;
  readonly errors?: FieldErrors;
  readonly notice?: Html;
  readonly status?: number;
  /** True: the page shows the changes that the form's values would make. */
  readonly isPreview?: boolean;
};

async function renderItem(
  context: RadarPageContext,
  item: EditedItem,
  view: ItemPageView,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const title = item.corrections.title ?? item.enrichment?.title ?? item.sourceTitle;
  return {
    kind: 'page',
    status: view.status ?? 200,
    title,
    section: 'items',
    main: html`${renderPageHead(markLanguage(title, context.site.language), null)}
${view.notice}${renderErrorSummary(context, view.errors ?? {}, fieldLabels(messages))}
${item.isWithdrawn && html`<div class="notice"><p>${messages.isWithdrawn}</p></div>`}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.correctItem}</h2>\
${view.isPreview && renderDifferences(context, item, view.values)}\
${renderCorrectionForm(context, item, view)}</section>
<section class="part"><h2 class="side">${item.isWithdrawn ? messages.restore : messages.withdraw}\
</h2>${renderWithdrawal(context, item)}</section>
</div><aside>${renderFacts(context, item)}${renderEnrichmentSteps(context, item)}</aside></div>
${await renderAuditTable(context, { kind: 'item', subject: item.id })}`,
  };
}

const fieldLabels = ({ title, summary, category }: ReturnType<typeof adminMessages>) => {
  return { title, summary, category };
};

function renderCorrectionForm(
  context: RadarPageContext,
  item: EditedItem,
  view: ItemPageView,
): Html {
  const { site, categories, labels } = context;
  const pageMessages = adminMessages(site.language);
  const { values, errors = {}, note = '' } = view;
  const messages = editingMessages(site.language);
  const help = (name: keyof ItemFields, nameOf = (text: string) => text) => {
    const [radarValue, correctedValue] = [
      nameOf(radarText(item, name)),
      nameOf(item.corrections[name] ?? ''),
    ];
    if (correctedValue === '' || correctedValue === radarValue || radarValue === '') {
      return html`${messages.textHelp} ${markLanguage(radarValue || '–', site.language)}`;
    }
    return html`${messages.changedFrom} \
${renderTextDiff(radarValue, correctedValue, site.language)}`;
  };
  const body = html`${renderTextField({
    name: 'title',
    label: pageMessages.title,
    value: values.title,
    rows: 2,
    help: help('title'),
    error: errors.title,
  })}${renderTextField({
    name: 'summary',
    label: pageMessages.summary,
    value: values.summary,
    rows: 5,
    help: help('summary'),
    error: errors.summary,
  })}${renderChoiceField({
    name: 'category',
    label: pageMessages.category,
    value: values.category,
    help: help('category', (id) => labels[id] ?? id),
    error: errors.category,
    choices: [
      ...(item.enrichment === null ? [{ value: '', label: pageMessages.asEnrichment }] : []),
      ...categories.map((id) => ({ value: id, label: labels[id] ?? id })),
    ],
  })}${renderTextField({
    name: 'note',
    label: pageMessages.note,
    value: note,
    help: pageMessages.noteHelp,
  })}
<div class="acts">${renderButton(pageMessages.saveCorrection)}\
<button class="quiet" name="intent" value="preview">${messages.showDifference}</button></div>`;
  const action = `/admin/items/${item.id}/correct`;
  return renderPostForm(context, { action, version: item.version }, body);
}

/** Each changed text, with the difference between the current text and the submitted one. */
function renderDifferences(
  context: RadarPageContext,
  item: EditedItem,
  formInput: ItemFields,
): Html {
  const { labels, site } = context;
  const pageMessages = adminMessages(site.language);
  const messages = editingMessages(site.language);
  const currentFields = currentTexts(item);
  const textFor = (name: keyof ItemFields, fields: ItemFields) => {
    const text = fields[name] || radarText(item, name);
    return name === 'category' ? (labels[text] ?? text) : text;
  };
  const changedNames = fieldNames.filter(
    (name) => textFor(name, currentFields) !== textFor(name, formInput),
  );
  return html`<div class="notice" role="status" tabindex="-1" data-focus>
<h3>${messages.differenceTitle}</h3>
${changedNames.length === 0 && html`<p>${messages.noDifference}</p>`}
<dl class="facts stacked">${changedNames.map(
    (name) => html`<dt>${pageMessages[name]}</dt><dd>\
${renderTextDiff(textFor(name, currentFields), textFor(name, formInput), site.language)}</dd>
`,
  )}</dl></div>`;
}

function renderWithdrawal(context: RadarPageContext, item: EditedItem): Html {
  const messages = adminMessages(context.site.language);
  const { id, isWithdrawn, version } = item;
  if (!isWithdrawn) {
    return html`<p class="explains">${messages.withdrawAbout}</p>
<p><a class="button danger" href="/admin/items/${id}/withdraw">${messages.withdraw} …</a></p>`;
  }
  const action = `/admin/items/${id}/restore`;
  return html`<p class="explains">${messages.restoreAbout}</p>
${renderPostForm(context, { action, version }, renderButton(messages.restore, 'quiet'))}`;
}

/** The confirmation of a withdrawal: what readers will see, and the reason. */
export async function withdrawPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return renderWithdrawalPage(context, await requireItem(context, request), {});
}

async function renderWithdrawalPage(
  context: RadarPageContext,
  item: EditedItem,
  errors: FieldErrors,
): Promise<RadarAdminResponse> {
  const { language } = context.site;
  const messages = editingMessages(language);
  const path = `/admin/items/${item.id}`;
  const title = messages.withdrawTitle(currentTexts(item).title);
  const reason = renderTextField({
    name: 'note',
    label: messages.reason,
    value: '',
    help: messages.reasonHelp,
    error: errors.note,
    isRequired: true,
  });
  return {
    kind: 'page',
    status: errors.note === undefined ? 200 : 422,
    title,
    section: 'items',
    main: html`${renderPageHead(markLanguage(title, language), null)}\
${renderErrorSummary(context, errors)}
<section><h2 class="side">${messages.readerEffects}</h2>
<ul class="side-list">${await renderWithdrawalEffects(context, item)}</ul></section>
${renderPostForm(
  context,
  { action: `${path}/withdraw`, version: item.version, className: 'spaced' },
  html`${reason}<div class="acts">${renderButton(messages.withdrawNow, 'danger')}\
<a href="${path}">${adminMessages(language).cancel}</a></div>`,
)}`,
  };
}

/** The public effects of a withdrawal, one line per document. */
async function renderWithdrawalEffects(
  context: RadarPageContext,
  item: EditedItem,
): Promise<readonly Html[]> {
  const { language } = context.site;
  const messages = editingMessages(language);
  const { isPublic, stories, reports } = await readWithdrawalEffects(context.db, item.id);
  if (!isPublic) return [html`<li>${messages.effectNotPublic}</li>`];
  const { reportKinds } = adminMessages(language);
  return [
    html`<li>${messages.effectNoItem}</li>`,
    ...stories.map(
      ({ id, title, otherReports }) =>
        html`<li>${
          otherReports === 0 ? messages.effectStoryGone : messages.effectStoryShorter(otherReports)
        } <a href="/stories/${id}">${markLanguage(title, language)}</a></li>`,
    ),
    ...reports.map(
      ({ kind, key }) => html`<li>${messages.effectReport} <a href="/${kind}/${key}">\
${reportKinds[kind]} ${key}</a></li>`,
    ),
  ];
}

function renderFacts(context: RadarPageContext, item: EditedItem): Html {
  const { site, world } = context;
  const messages = adminMessages(site.language);
  const link = webAddress(item.url);
  const { enrichment, story } = item;
  const rows: readonly (readonly [string, Html | string | number])[] = [
    [messages.sourceTitle, markLanguage(item.sourceTitle, site.language)],
    [messages.source, html`<a href="/admin/sources/${item.sourceId}">${item.sourceName}</a>`],
    ...(link
      ? ([
          [messages.original, html`<a href="${link}" rel="noopener noreferrer">${item.url}</a>`],
        ] as const)
      : []),
    [
      messages.published,
      item.publishedAt === null ? '–' : renderDateTime({ site, world }, item.publishedAt),
    ],
    [messages.discovered, renderDateTime({ site, world }, item.discoveredAt)],
    [messages.score, enrichment?.score ?? '–'],
    [
      messages.reason,
      enrichment?.reason == null ? '–' : markLanguage(enrichment.reason, site.language),
    ],
    [
      messages.story,
      story === null
        ? '–'
        : html`<a href="/admin/stories/${story.id}">${markLanguage(story.title, site.language)}\
</a>`,
    ],
    [messages.id, html`<code>${item.id}</code>`],
  ];
  return html`<h2 class="side">${messages.facts}</h2><dl class="facts stacked">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>
${
  !item.isWithdrawn &&
  html`<p class="spaced">\
<a class="link" href="/items/${item.id}">${messages.publicPage} →</a></p>`
}`;
}

export async function correctItem(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const item = await requireItem(context, request);
  const formInput = Object.fromEntries(
    fieldNames.map((name) => [name, textOf(request.form, name) ?? '']),
  ) as ItemFields;
  const note = textOf(request.form, 'note');
  const correctionOf = (name: keyof ItemFields, text: string | null) =>
    text === radarText(item, name) ? null : text;
  const corrections = {
    title: correctionOf('title', cleanCorrection(formInput.title)),
    summary: correctionOf('summary', cleanCorrection(formInput.summary)),
    category: correctionOf('category', formInput.category || null),
  };
  const errors: FieldErrors = Object.fromEntries(
    checkCorrection(corrections, context.categories).map((problem) => [
      problem.field,
      problem.kind === 'unknown' ? messages.noSuchCategory : messages.tooLong(problem.max),
    ]),
  );
  if (Object.keys(errors).length > 0) {
    return renderItem(context, item, { values: formInput, note: note ?? '', errors, status: 422 });
  }
  if (request.form.get('intent') === 'preview') {
    return renderItem(context, item, { values: formInput, note: note ?? '', isPreview: true });
  }
  const changeOutcome = await applyItemChange(
    context,
    request,
    item,
    { action: 'correct', fields: corrections },
    note,
  );
  if (changeOutcome.kind === 'conflict') return renderConflict(context, request, formInput, note);
  return confirmAction(context, changeOutcome.seq, `/admin/items/${item.id}`, 'correct');
}

export async function changeWithdrawal(
  context: RadarPageContext,
  request: RadarAdminRequest,
  action: 'withdraw' | 'restore',
): Promise<RadarAdminResponse> {
  const item = await requireItem(context, request);
  const note = textOf(request.form, 'note');
  if (action === 'withdraw' && note === null) {
    const { reasonMissing } = editingMessages(context.site.language);
    return renderWithdrawalPage(context, item, { note: reasonMissing });
  }
  const changeOutcome = await applyItemChange(context, request, item, { action }, note);
  if (changeOutcome.kind === 'conflict') return renderConflict(context, request, null, null);
  return confirmAction(context, changeOutcome.seq, `/admin/items/${item.id}`, action);
}

type ChangeOutcome = Exclude<ChangeItemResult, { kind: 'unknown' }>;

async function applyItemChange(
  { world, db, session }: RadarPageContext,
  { form }: RadarAdminRequest,
  item: EditedItem,
  change: ItemChange,
  note: string | null,
): Promise<ChangeOutcome> {
  // No item has this version, so a form without a version is refused.
  const version = versionOf(form) ?? -1;
  const stateOf = (editedItem: EditedItem) => ({
    ...editedItem.corrections,
    withdrawn: editedItem.isWithdrawn,
  });
  return withAudit<ChangeOutcome>(world, db, session, async (tx) => {
    const outcome = await changeItem(world, tx, item.id, {
      ...change,
      actor: session.name,
      note,
      version,
    });
    switch (outcome.kind) {
      case 'unknown':
        throw noItemFault(item.id);
      case 'conflict':
      case 'unchanged':
        return { outcome, entry: null };
      case 'changed': {
        // `item` was read before this transaction, so it has the state before the change.
        const changedItem = await readEditedItem(tx, item.id);
        const states = changedFields(
          stateOf(item),
          changedItem === null ? {} : stateOf(changedItem),
        );
        const { action } = change;
        return { outcome, entry: { action, kind: 'item', subject: item.id, ...states, note } };
      }
      default:
        return unreachable(outcome);
    }
  });
}

async function renderConflict(
  context: RadarPageContext,
  request: RadarAdminRequest,
  formInput: ItemFields | null,
  note: string | null,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const item = await requireItem(context, request);
  const currentValues = currentTexts(item);
  const conflicts = fieldNames
    .filter((name) => formInput !== null && formInput[name] !== currentValues[name])
    .map((name) => ({
      label: messages[name],
      currentValue: currentValues[name] || '–',
      formInput: formInput?.[name] || '–',
    }));
  const editor = await findLastEditor(context, 'item', item.id);
  const notice = renderConflictNotice(context, conflicts, editor);
  return renderItem(context, item, {
    values: formInput ?? currentValues,
    note: note ?? '',
    notice,
    status: 409,
  });
}
