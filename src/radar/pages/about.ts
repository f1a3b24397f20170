// `/about`: the purpose of this radar, and the condition of each source.
import { renderBars } from '../../kernel/html/charts.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { formatDuration, renderDateTime, renderShortTime } from '../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, type TableRow } from '../../kernel/web/list-table.ts';
import {
  HEALTH_DAYS,
  type HealthReport,
  type PublicSourceHealth,
} from '../publication/source-health.ts';
import { renderNoSource } from './empty-list.ts';
import { type AboutMessages, aboutMessages } from './messages/about.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

const CHART = { width: 84, height: 22 };

export async function aboutPage(context: PageContext): Promise<PageResponse> {
  const { site, health } = context;
  const messages = aboutMessages(site.language);
  const report = await health.read();
  return pageResponse(context, {
    title: messages.title,
    description: messages.lead(site.name),
    canonical: '/about',
    section: 'about',
    main: html`<div class="page-head"><h1>${messages.heading(site.name)}</h1></div>
<div class="text">
${messages.paragraphs(site.name).map(
  (text) => html`<p>${text}</p>
`,
)}</div>
<section class="part">
<h2 id="sources">${messages.sources}</h2>
${
  report === null
    ? html`<p class="notice">${messages.unknown}</p>`
    : renderSources(context, report, messages)
}
</section>`,
  });
}

const conditionOrder = [
  'current',
  'no_recent_items',
  'failing',
  'waiting',
  'paused',
  'gone',
] as const;

function renderSources(
  context: PageContext,
  { at, sources }: HealthReport,
  messages: AboutMessages,
): Html {
  if (sources.length === 0) return renderNoSource(readerMessages(context.site.language));
  const counts = conditionOrder.map((condition) => {
    const count = sources.filter((source) => source.condition === condition).length;
    return count > 0 && html`<span>${count} ${messages.conditions[condition]}</span>`;
  });
  return html`<p class="meta"><span>${messages.count(sources.length)}</span>\
${counts}\
<span>${messages.asOf} ${renderDateTime(context, at)}</span></p>
<p class="explains">${messages.explains}</p>
${renderListTable(
  [
    { label: messages.source },
    { label: messages.condition, isSelfExplanatory: true },
    { label: messages.lastSuccess },
    { label: messages.newest },
    { label: messages.median, isNumber: true },
    { label: messages.p90, isNumber: true },
    { label: messages.fortnight, isSelfExplanatory: true },
  ],
  sources.map((source) => renderRow(context, source, messages)),
  { isTight: true, label: messages.sources },
)}
<p class="meta spaced">${messages.freshness(HEALTH_DAYS)}</p>`;
}

const tones: Partial<Record<PublicSourceHealth['condition'], string>> = {
  current: 'positive',
  failing: 'negative',
};

function renderRow(
  context: PageContext,
  source: PublicSourceHealth,
  messages: AboutMessages,
): TableRow {
  const { language } = context.site;
  const { name, condition, kind, lastSuccessAt, newestItemAt, medianLagMs, p90LagMs } = source;
  const renderInstant = (at: number | null) => (at === null ? '–' : renderShortTime(context, at));
  const renderLag = (ms: number | null) => (ms === null ? '–' : formatDuration(language, ms));
  const total = source.daily.reduce((sum, count) => sum + count, 0);
  const label = messages.chart(total, HEALTH_DAYS);
  return [
    rowHeading(html`<span lang="${source.language}">${name}</span>`),
    { content: messages.conditions[condition], className: tones[condition] ?? '' },
    kind === 'push' ? messages.pushed : renderInstant(lastSuccessAt),
    renderInstant(newestItemAt),
    renderLag(medianLagMs),
    renderLag(p90LagMs),
    { content: renderBars(source.daily, { ...CHART, label }), className: 'whole' },
  ];
}
