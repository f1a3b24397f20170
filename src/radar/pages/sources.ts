// `/sources` and `/sources/{id}`: the sources of the radar, and the items, categories, rhythm and
// revised figures of one source.
import { Fault } from '../../kernel/errors/fault.ts';
import { renderBars } from '../../kernel/html/charts.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import { renderShortTime } from '../../kernel/web/format-time.ts';
import { storySummary } from '../publication/documents/story-summary.ts';
import type { PublicItem } from '../publication/item.ts';
import { listSourceItems } from '../publication/read-model/source-items.ts';
import { HEALTH_DAYS, type PublicSourceHealth } from '../publication/source-health.ts';
import { renderNoSource } from './empty-list.ts';
import { renderItemRow } from './item-row.ts';
import { aboutMessages } from './messages/about.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

const CHART_SIZE = { width: 84, height: 22 };
const WIDE_CHART_SIZE = { width: 280, height: 56 };
const ITEMS_SHOWN = 50;

export async function sourcesPage(context: PageContext): Promise<PageResponse> {
  const messages = readerMessages(context.site.language);
  const about = aboutMessages(context.site.language);
  const report = await context.health.read();
  const sources = report?.sources ?? [];
  return pageResponse(context, {
    title: messages.sourcesSection,
    description: messages.sourcesAbout,
    canonical: '/sources',
    section: null,
    main: html`<div class="list-head"><h1>${messages.sourcesSection}</h1>\
<p class="meta">${messages.sourcesAbout}</p></div>
${report === null && html`<p class="notice">${about.unknown}</p>`}
${
  report !== null && sources.length === 0
    ? renderNoSource(messages)
    : html`<ul class="source-list">
${sources.map((source) => renderSource(context, source))}</ul>`
}`,
  });
}

const countItems = ({ daily }: PublicSourceHealth) => daily.reduce((sum, count) => sum + count, 0);

function renderSource({ site }: PageContext, source: PublicSourceHealth): Html {
  const messages = readerMessages(site.language);
  const { conditions } = aboutMessages(site.language);
  const label = messages.itemsInDays(countItems(source), HEALTH_DAYS);
  return html`<li data-row><h2 lang="${guessLanguage(source.name)}">\
<a href="/sources/${source.id}">${source.name}</a></h2>\
<p class="meta"><span>${label}</span><span>${conditions[source.condition]}</span></p>\
${renderBars(source.daily, { width: CHART_SIZE.width, height: CHART_SIZE.height, label })}</li>
`;
}

export async function sourcePage(
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse> {
  const { site, health, publication, world } = context;
  const messages = readerMessages(site.language);
  const report = await health.read();
  if (report === null) {
    throw new Fault('temporarily_unavailable', 'The sources cannot be read at the moment.');
  }
  const source = report.sources.find(({ id }) => id === request.params.id);
  if (source === undefined) throw new Fault('not_found', 'There is no source of that id.');
  const items = listSourceItems(
    publication.readModel(),
    source.name,
    ITEMS_SHOWN,
    world.clock.now(),
  );
  const feed = `/feed/source/${source.id}`;
  return pageResponse(context, {
    title: source.name,
    description: messages.itemsInDays(countItems(source), HEALTH_DAYS),
    canonical: `/sources/${source.id}`,
    section: null,
    feed,
    main: html`<header class="page-head">
<p class="label"><a href="/sources">${messages.sourcesSection}</a></p>
<h1 lang="${guessLanguage(source.name)}">${source.name}</h1>
<p class="meta"><span><a href="${feed}.xml">RSS</a></span>\
<span><a href="${feed}.json">JSON Feed</a></span></p>
</header>
<div class="two">
<div><section class="day"><h2>${messages.itemsOfSource}</h2>
${
  items.length === 0
    ? html`<p class="empty">${messages.noItemsOfSource}</p>`
    : html`<ol>
${items.map((item) => renderItemRow(context, item, 'short'))}</ol>`
}</section></div>
<aside>${renderFacts(context, source, items)}</aside>
</div>`,
  });
}

function renderFacts(
  context: PageContext,
  source: PublicSourceHealth,
  items: readonly PublicItem[],
): Html {
  const { site, labels } = context;
  const messages = readerMessages(site.language);
  const about = aboutMessages(site.language);
  const label = messages.itemsInDays(countItems(source), HEALTH_DAYS);
  const byCategory = Map.groupBy(
    items.filter(({ category }) => category !== null),
    ({ category }) => category ?? '',
  );
  const counts = [...byCategory].sort(([, a], [, b]) => b.length - a.length);
  return html`<section><h2 class="side">${messages.rhythm}</h2>
${renderBars(source.daily, { width: WIDE_CHART_SIZE.width, height: WIDE_CHART_SIZE.height, label })}
<p class="meta">${label}</p>
<p class="meta">${about.conditions[source.condition]}${
    source.newestItemAt !== null &&
    html` · ${about.newest} ${renderShortTime(context, source.newestItemAt)}`
  }</p></section>
${
  counts.length > 0 &&
  html`<section class="spaced"><h2 class="side">${messages.category}</h2><ul class="side-list">
${counts.map(
  ([category, categoryItems]) => html`<li>${labels[category] ?? category} \
<span class="figure meta">${categoryItems.length}</span></li>`,
)}</ul></section>`
}${renderRevisions(context, source, items)}`;
}

/** Figures of this source that replaced earlier figures, in the stories of the given items. */
function renderRevisions(
  { publication, site }: PageContext,
  source: PublicSourceHealth,
  items: readonly PublicItem[],
): Html {
  const ids = new Set(items.flatMap(({ storyId }) => storyId ?? []));
  const foundRevisions = [...ids].flatMap((id) => {
    const story = storySummary(publication.readModel(), id);
    return story?.revision?.source === source.name
      ? [{ id, title: story.title, revision: story.revision }]
      : [];
  });
  if (foundRevisions.length === 0) return nothing;
  return html`<section class="spaced">
<h2 class="side">${readerMessages(site.language).correctionsOfSource}</h2><ul class="side-list">
${foundRevisions.map(
  ({ id, title, revision }) => html`<li><a href="/stories/${id}#revised" \
lang="${guessLanguage(title)}">${title}</a><span class="meta" \
lang="${guessLanguage(revision.subject)}">${revision.subject}: ${revision.previous} → \
${revision.current}</span></li>`,
)}</ul></section>`;
}
