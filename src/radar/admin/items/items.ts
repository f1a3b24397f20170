// Looking for items, also for those that are not public.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { marked } from '../../../kernel/html/text-language.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { type FoundItem, type ItemState, searchItems } from '../../publication/operator-items.ts';
import { listSources } from '../../sources/list-sources.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { adminWords } from '../messages/messages.ts';

const LIMIT = 50;
const states: readonly ItemState[] = ['any', 'public', 'withdrawn', 'corrected', 'hidden'];

export async function itemsPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const words = adminWords(context.site.language);
  const q = (query.get('q') ?? '').slice(0, 200);
  const state = states.find((one) => one === query.get('state')) ?? 'any';
  const sourceId = query.get('source') || null;
  const before = query.get('before');
  const found = await searchItems(context.db, { q, state, sourceId, before, limit: LIMIT + 1 });
  const shown = found.slice(0, LIMIT);
  const last = found.length > LIMIT ? shown.at(-1)?.id : undefined;
  const isAll = q === '' && state === 'any' && sourceId === null && before === null;
  const none = isAll ? words.noItemsYet : words.noItems;
  const older = last && new URLSearchParams({ q, state, source: sourceId ?? '', before: last });
  return {
    kind: 'page',
    title: words.sections.items,
    section: 'items',
    main: html`${pageHead(words.sections.items, words.itemsAbout)}
${await searchForm(context, { q, state, sourceId })}
${shown.length === 0 ? html`<p class="empty">${none}</p>` : table(context, shown)}
${
  older &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/items?${String(older)}">${words.older} →</a></p>`
}`,
  };
}

async function searchForm(
  { db, site }: RadarPageContext,
  { q, state, sourceId }: { q: string; state: ItemState; sourceId: string | null },
): Promise<Html> {
  const words = adminWords(site.language);
  const sources = await listSources(db);
  return html`<form class="bar" role="search"><div class="grows">\
<label class="over" for="f-q">${words.search}</label>
<input id="f-q" type="search" name="q" value="${q}"></div>
<div><label class="over" for="f-state">${words.state}</label>\
<select id="f-state" name="state">${states.map(
    (one) =>
      html`<option value="${one}"${one === state && html` selected`}>${words.itemStates[one]}\
</option>`,
  )}</select></div>
<div><label class="over" for="f-source">${words.source}</label><select id="f-source" name="source">\
<option value="">${words.everySource}</option>${sources.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === sourceId && html` selected`}>${name}</option>`,
  )}</select></div><button>${words.search}</button></form>`;
}

function table(context: RadarPageContext, items: readonly FoundItem[]): Html {
  const { site, labels } = context;
  const words = adminWords(site.language);
  return html`<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${words.item}</th>\
<th scope="col">${words.state}</th><th scope="col">${words.category}</th>\
<th scope="col" class="number">${words.score}</th><th scope="col">${words.discovered}</th></tr>\
</thead><tbody>
${items.map(
  (item) => html`<tr><th scope="row">\
<a href="/admin/items/${item.id}">${marked(item.title, site.language)}</a>
<span class="meta below">${item.sourceName}</span></th><td class="nowrap">${stateOf(words, item)}\
</td>\
<td class="nowrap">${labels[item.category ?? ''] ?? item.category ?? '–'}</td>\
<td class="number" data-label="${words.score}">${item.score ?? '–'}</td>\
<td class="nowrap">${dateTime(site.language, item.discoveredAt)}</td></tr>
`,
)}</tbody></table></div>`;
}

function stateOf(words: ReturnType<typeof adminWords>, item: FoundItem): Html {
  const corrected = item.isCorrected
    ? html`<span class="meta below">${words.itemStates.corrected}</span>`
    : nothing;
  if (item.isWithdrawn)
    return html`<span class="negative">${words.itemStates.withdrawn}</span>${corrected}`;
  if (!item.isPublic) return html`<span class="meta">${words.itemStates.hidden}</span>${corrected}`;
  const stateText = item.isSelected ? words.selected : words.itemStates.public;
  return html`<span class="positive">${stateText}</span>${corrected}`;
}
