// One item: the source's text, the enrichment, and the operators' corrections.
import { unreachable } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, webAddress } from '../../../kernel/html/html.ts';
import { marked } from '../../../kernel/html/text-language.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import {
  button,
  choiceField,
  conflictNotice,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { audited, changedFields } from '../../../operators/audit-log.ts';
import { type ChangeItem, changeItem, type ItemChange } from '../../publication/change-item.ts';
import { checkCorrection, correctedText } from '../../publication/check-correction.ts';
import { type EditedItem, editedItem } from '../../publication/operator-items.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { auditTable, lastEditor } from '../audit-table.ts';
import { doneAfter, doneNotice } from '../done-notice.ts';
import { adminWords } from '../messages/messages.ts';
import { modelMarks } from './enrichment-steps.ts';

type Fields = { readonly title: string; readonly summary: string; readonly category: string };
const fieldNames = ['title', 'summary', 'category'] as const;

async function itemNamed(
  { db }: RadarPageContext,
  { params }: RadarAdminRequest,
): Promise<EditedItem> {
  const item = await editedItem(db, params.id ?? '');
  if (item === null) throw noItem(params.id ?? '');
  return item;
}

const noItem = (id: string) =>
  new Fault('not_found', `There is no item ${id}.`, { inChinese: `没有条目 ${id}。` });

/** An empty field keeps the value of the enrichment. */
const typedOver = ({ over }: EditedItem): Fields => ({
  title: over.title ?? '',
  summary: over.summary ?? '',
  category: over.category ?? '',
});

export async function itemPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const item = await itemNamed(context, request);
  return draw(context, item, { values: typedOver(item), notice: doneNotice(context, request) });
}

type ItemPageView = {
  readonly values: Fields;
  readonly note?: string;
  readonly errors?: FieldErrors;
  readonly notice?: Html;
  readonly status?: number;
};

async function draw(
  context: RadarPageContext,
  item: EditedItem,
  drawn: ItemPageView,
): Promise<RadarAdminResponse> {
  const words = adminWords(context.site.language);
  const title = item.over.title ?? item.enrichment?.title ?? item.sourceTitle;
  return {
    kind: 'page',
    status: drawn.status ?? 200,
    title,
    section: 'items',
    main: html`${pageHead(marked(title, context.site.language), null)}
${drawn.notice}${errorSummary(context, drawn.errors ?? {}, fieldLabels(words))}
${item.isWithdrawn && html`<div class="notice"><p>${words.isWithdrawn}</p></div>`}
<div class="two wide-side"><div>
<section><h2 class="side">${words.correctItem}</h2>${correctForm(context, item, drawn)}</section>
<section class="part"><h2 class="side">${item.isWithdrawn ? words.restore : words.withdraw}\
</h2>${withdrawForm(context, item)}</section>
</div><aside>${facts(context, item)}${modelMarks(context, item)}</aside></div>
${await auditTable(context, { kind: 'item', subject: item.id })}`,
  };
}

const fieldLabels = ({ title, summary, category }: ReturnType<typeof adminWords>) => {
  return { title, summary, category };
};

function correctForm(context: RadarPageContext, item: EditedItem, drawn: ItemPageView): Html {
  const { site, categories, labels } = context;
  const words = adminWords(site.language);
  const { values, errors = {}, note = '' } = drawn;
  const { enrichment } = item;
  const help = (text: string | null | undefined) =>
    html`${words.deskSays}${marked(text || '–', context.site.language)}`;
  const body = html`${textField({
    name: 'title',
    label: words.title,
    value: values.title,
    rows: 2,
    help: help(enrichment?.title),
    error: errors.title,
  })}${textField({
    name: 'summary',
    label: words.summary,
    value: values.summary,
    rows: 5,
    help: help(enrichment?.summary),
    error: errors.summary,
  })}${choiceField({
    name: 'category',
    label: words.category,
    value: values.category,
    help: help(labels[enrichment?.category ?? ''] ?? enrichment?.category),
    error: errors.category,
    choices: [
      { value: '', label: words.asTheDesk },
      ...categories.map((id) => ({ value: id, label: labels[id] ?? id })),
    ],
  })}${textField({ name: 'note', label: words.note, value: note, help: words.noteHelp })}
${button(words.saveCorrection)}`;
  const action = `/admin/items/${item.id}/correct`;
  return postForm(context, { action, version: item.version }, body);
}

function withdrawForm(context: RadarPageContext, item: EditedItem): Html {
  const words = adminWords(context.site.language);
  const { id, isWithdrawn, version } = item;
  const action = `/admin/items/${id}/${isWithdrawn ? 'restore' : 'withdraw'}`;
  const label = isWithdrawn ? words.restore : words.withdraw;
  return html`<p class="explains">${isWithdrawn ? words.restoreAbout : words.withdrawAbout}</p>
${postForm(context, { action, version }, button(label, isWithdrawn ? 'quiet' : 'danger'))}`;
}

function facts(context: RadarPageContext, item: EditedItem): Html {
  const { site } = context;
  const words = adminWords(site.language);
  const link = webAddress(item.url);
  const { enrichment, story } = item;
  const rows: readonly (readonly [string, Html | string | number])[] = [
    [words.sourceTitle, marked(item.sourceTitle, site.language)],
    [words.source, html`<a href="/admin/sources/${item.sourceId}">${item.sourceName}</a>`],
    ...(link
      ? ([
          [words.original, html`<a href="${link}" rel="noopener noreferrer">${item.url}</a>`],
        ] as const)
      : []),
    [words.published, item.publishedAt === null ? '–' : dateTime(site.language, item.publishedAt)],
    [words.discovered, dateTime(site.language, item.discoveredAt)],
    [words.score, enrichment?.score ?? '–'],
    [words.reason, enrichment?.reason == null ? '–' : marked(enrichment.reason, site.language)],
    [
      words.story,
      story === null
        ? '–'
        : html`<a href="/admin/stories/${story.id}">${marked(story.title, site.language)}</a>`,
    ],
    [words.id, html`<code>${item.id}</code>`],
  ];
  return html`<h2 class="side">${words.facts}</h2><dl class="facts stacked">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>
${
  !item.isWithdrawn &&
  html`<p class="spaced">\
<a class="link" href="/items/${item.id}">${words.asReaders} →</a></p>`
}`;
}

export async function correctItem(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const words = adminWords(context.site.language);
  const item = await itemNamed(context, request);
  const typed = Object.fromEntries(
    fieldNames.map((name) => [name, textOf(request.form, name) ?? '']),
  ) as Fields;
  const note = textOf(request.form, 'note');
  const fields = {
    title: correctedText(typed.title),
    summary: correctedText(typed.summary),
    category: typed.category || null,
  };
  const errors: FieldErrors = Object.fromEntries(
    checkCorrection(fields, context.categories).map((problem) => [
      problem.field,
      problem.kind === 'unknown' ? words.noSuchCategory : words.tooLong(problem.max),
    ]),
  );
  if (Object.keys(errors).length > 0) {
    return draw(context, item, { values: typed, note: note ?? '', errors, status: 422 });
  }
  const changed = await change(context, request, item, { action: 'correct', fields }, note);
  if (changed.kind === 'overtaken') return conflict(context, request, typed, note);
  return doneAfter(context, changed.seq, `/admin/items/${item.id}`, 'correct');
}

export async function withdrawItem(
  context: RadarPageContext,
  request: RadarAdminRequest,
  action: 'withdraw' | 'restore',
): Promise<RadarAdminResponse> {
  const item = await itemNamed(context, request);
  const changed = await change(context, request, item, { action }, null);
  if (changed.kind === 'overtaken') return conflict(context, request, null, null);
  return doneAfter(context, changed.seq, `/admin/items/${item.id}`, action);
}

type ChangeOutcome = Exclude<ChangeItem, { kind: 'unknown' }>;

async function change(
  { world, db, session }: RadarPageContext,
  { form }: RadarAdminRequest,
  item: EditedItem,
  order: ItemChange,
  note: string | null,
): Promise<ChangeOutcome> {
  const version = versionOf(form) ?? -1;
  const stateOf = (one: EditedItem) => ({ ...one.over, withdrawn: one.isWithdrawn });
  return audited<ChangeOutcome>(world, db, session.name, async (tx) => {
    const outcome = await changeItem(world, tx, item.id, {
      ...order,
      actor: session.name,
      note,
      version,
    });
    switch (outcome.kind) {
      case 'unknown':
        throw noItem(item.id);
      case 'overtaken':
      case 'unchanged':
        return { outcome, entry: null };
      case 'changed': {
        // The version was the one that `item` was read with, or it would be overtaken.
        const after = await editedItem(tx, item.id);
        const states = changedFields(stateOf(item), after === null ? {} : stateOf(after));
        const { action } = order;
        return { outcome, entry: { action, kind: 'item', subject: item.id, ...states, note } };
      }
      default:
        return unreachable(outcome);
    }
  });
}

async function conflict(
  context: RadarPageContext,
  request: RadarAdminRequest,
  typed: Fields | null,
  note: string | null,
): Promise<RadarAdminResponse> {
  const words = adminWords(context.site.language);
  const item = await itemNamed(context, request);
  const now = typedOver(item);
  const differences = fieldNames
    .filter((name) => typed !== null && typed[name] !== now[name])
    .map((name) => ({
      label: words[name],
      // Without a correction the value of the enrichment applies.
      now: now[name] || item.enrichment?.[name] || '–',
      typed: typed?.[name] || '–',
    }));
  const who = await lastEditor(context, 'item', item.id);
  const notice = conflictNotice(context, differences, who);
  return draw(context, item, { values: typed ?? now, note: note ?? '', notice, status: 409 });
}
