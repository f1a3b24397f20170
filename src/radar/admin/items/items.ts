// The search for items, including those that are not public, and the change of their categories.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { parseWholeNumber } from '../../../kernel/http/whole-number.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderButton,
  renderChoiceField,
  renderErrorSummary,
  renderPostForm,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { type ChangeItemResult, changeItem } from '../../publication/change-item.ts';
import {
  type FoundItem,
  type ItemState,
  readEditedItem,
  searchItems,
} from '../../publication/operator-items.ts';
import { listSources } from '../../sources/list-sources.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages } from '../messages/messages.ts';

const PAGE_SIZE = 50;
const states = [
  'any',
  'selected',
  'public',
  'withdrawn',
  'corrected',
  'hidden',
] as const satisfies readonly ItemState[];

export async function itemsPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return listItems(context, request, {});
}

async function listItems(
  context: RadarPageContext,
  request: RadarAdminRequest,
  { error }: { readonly error?: string },
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const query = error === undefined ? request.query : request.form;
  const q = (query.get('q') ?? '').slice(0, 200);
  const stateFilter = states.find((candidate) => candidate === query.get('state')) ?? 'any';
  const sourceId = query.get('source') || null;
  const before = query.get('before') || null;
  const category = context.categories.find((id) => id === query.get('of')) ?? null;
  const search = { q, state: stateFilter, category, sourceId };
  const foundItems = await searchItems(context.db, { ...search, before, limit: PAGE_SIZE + 1 });
  const listedItems = foundItems.slice(0, PAGE_SIZE);
  const lastItem = foundItems.length > PAGE_SIZE ? listedItems.at(-1)?.id : undefined;
  const isUnfiltered =
    q === '' &&
    stateFilter === 'any' &&
    [sourceId, category, before].every((filter) => filter === null);
  const emptyMessage = isUnfiltered ? messages.noItemsYet : messages.noItems;
  const olderPageQuery = lastItem && filterQuery({ ...search, before: lastItem });
  return {
    kind: 'page',
    title: messages.sections.items,
    section: 'items',
    main: html`${renderPageHead(messages.sections.items, messages.itemsAbout)}
${renderBulkNotice(context, request)}\
${renderErrorSummary(context, error === undefined ? {} : { '': error })}
${await renderSearchForm(context, search)}
${
  listedItems.length === 0
    ? html`<p class="empty">${emptyMessage}</p>`
    : renderBulkForm(context, { ...search, before }, renderTable(context, listedItems))
}
${
  olderPageQuery &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/items?${String(olderPageQuery)}">\
${messages.older} →</a></p>`
}`,
  };
}

async function renderSearchForm(
  { db, site, categories, labels }: RadarPageContext,
  { q, state, category, sourceId }: ItemFilter,
): Promise<Html> {
  const pageMessages = adminMessages(site.language);
  const messages = editingMessages(site.language);
  const sources = await listSources(db);
  return html`<form class="bar" role="search"><div class="grows">\
<label class="over" for="f-q">${pageMessages.search}</label>
<input id="f-q" type="search" name="q" value="${q}"></div>
<div><label class="over" for="f-state">${pageMessages.state}</label>\
<select id="f-state" name="state">${states.map(
    (candidate) =>
      html`<option value="${candidate}"${candidate === state && html` selected`}>\
${pageMessages.itemStates[candidate]}\
</option>`,
  )}</select></div>
<div><label class="over" for="f-of">${pageMessages.category}</label><select id="f-of" name="of">\
<option value="">${messages.allCategories}</option>${categories.map(
    (id) => html`<option value="${id}"${id === category && html` selected`}>\
${labels[id] ?? id}</option>`,
  )}</select></div>
<div><label class="over" for="f-source">${pageMessages.source}</label>\
<select id="f-source" name="source">\
<option value="">${pageMessages.everySource}</option>${sources.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === sourceId && html` selected`}>${name}</option>`,
  )}</select></div><button>${pageMessages.search}</button></form>`;
}

function renderTable(context: RadarPageContext, items: readonly FoundItem[]): Html {
  const { site, world, labels } = context;
  const pageMessages = adminMessages(site.language);
  const messages = editingMessages(site.language);
  const columns = [
    { label: html`<span class="hidden" id="choose">${messages.choose}</span>` },
    { label: pageMessages.item },
    { label: pageMessages.state, isSelfExplanatory: true },
    { label: pageMessages.category, isSelfExplanatory: true },
    { label: pageMessages.score, isNumber: true },
    { label: pageMessages.discovered, isSelfExplanatory: true },
  ];
  return renderListTable(
    columns,
    items.map((item) => [
      {
        content: html`<label><input type="checkbox" name="item" value="${item.id}" \
aria-labelledby="choose t-${item.id}"></label>`,
        className: 'pick',
      },
      rowHeading(html`\
<a id="t-${item.id}" href="/admin/items/${item.id}">${markLanguage(item.title, site.language)}</a>
<span class="meta below">${item.sourceName}</span>`),
      singleLineCell(renderState(pageMessages, item)),
      singleLineCell(labels[item.category ?? ''] ?? item.category ?? '–'),
      item.score ?? '–',
      singleLineCell(renderDateTime({ site, world }, item.discoveredAt)),
    ]),
  );
}

type ItemFilter = {
  readonly q: string;
  readonly state: ItemState;
  readonly category: string | null;
  readonly sourceId: string | null;
};

function filterQuery({
  q,
  state,
  category,
  sourceId,
  before,
}: ItemFilter & { readonly before: string | null }): URLSearchParams {
  return new URLSearchParams({
    q,
    state,
    of: category ?? '',
    source: sourceId ?? '',
    before: before ?? '',
  });
}

/** The table inside the form that sets a category. Hidden fields keep the filter. */
function renderBulkForm(
  context: RadarPageContext,
  filter: ItemFilter & { readonly before: string | null },
  rows: Html,
): Html {
  const { site, categories, labels } = context;
  const messages = editingMessages(site.language);
  const hiddenFields = [...filterQuery(filter)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const categoryOptions = [
    { value: '', label: '–' },
    ...categories.map((id) => ({ value: id, label: labels[id] ?? id })),
  ];
  const categoryField = renderChoiceField({
    name: 'category',
    label: messages.bulkCategory,
    value: '',
    choices: categoryOptions,
  });
  return renderPostForm(
    context,
    { action: '/admin/items/category' },
    html`${hiddenFields}${rows}<div class="bulk spaced">${categoryField}\
${renderButton(messages.bulkSave, 'quiet')}</div>`,
  );
}

function renderBulkNotice({ site }: RadarPageContext, { query }: RadarAdminRequest): Html {
  const count = parseWholeNumber(query.get('set')) ?? 0;
  if (count === 0) return nothing;
  return html`<div class="notice positive" role="status">\
<p>${editingMessages(site.language).bulkDone(count)}</p></div>`;
}

/** Sets the category of the chosen items. The change of each item has its own audit row. */
export async function setCategory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, site } = context;
  const { form } = request;
  const category = context.categories.find((id) => id === form.get('category'));
  const ids = [...new Set(form.getAll('item'))].slice(0, PAGE_SIZE);
  if (category === undefined || ids.length === 0) {
    const page = await listItems(context, request, {
      error: editingMessages(site.language).bulkNone,
    });
    return page.kind === 'page' ? { ...page, status: 422 } : page;
  }
  let foundCount = 0;
  for (const id of ids) {
    const item = await readEditedItem(db, id);
    if (item === null) continue;
    foundCount += 1;
    const assignedCategory = item.enrichment?.category ?? null;
    const fields = { category: category === assignedCategory ? null : category };
    await withAudit<ChangeItemResult>(world, db, session, async (tx) => {
      const change = { action: 'correct', fields, actor: session.name, note: null } as const;
      const outcome = await changeItem(world, tx, id, change);
      if (outcome.kind !== 'changed') return { outcome, entry: null };
      const states = { before: { category: item.corrections.category }, after: fields, note: null };
      return { outcome, entry: { action: 'correct', kind: 'item', subject: id, ...states } };
    });
  }
  const query = filterQuery({
    q: form.get('q') ?? '',
    state: states.find((candidate) => candidate === form.get('state')) ?? 'any',
    category: form.get('of'),
    sourceId: form.get('source'),
    before: form.get('before'),
  });
  return { kind: 'moved', to: `/admin/items?${query}&set=${foundCount}` };
}

function renderState(messages: ReturnType<typeof adminMessages>, item: FoundItem): Html {
  const correctedMark = item.isCorrected
    ? html`<span class="meta below">${messages.itemStates.corrected}</span>`
    : nothing;
  if (item.isWithdrawn)
    return html`<span class="negative">${messages.itemStates.withdrawn}</span>${correctedMark}`;
  if (!item.isPublic)
    return html`<span class="meta">${messages.itemStates.hidden}</span>${correctedMark}`;
  const stateText = item.isSelected ? messages.selected : messages.itemStates.public;
  return html`<span class="positive">${stateText}</span>${correctedMark}`;
}
