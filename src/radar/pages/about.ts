// `/about`: what this radar is, and how each of its sources is doing.
import { bars } from '../../kernel/html/charts.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { HEALTH_DAYS, type HealthReport, type SourceHealth } from '../publication/source-health.ts';
import { type AboutWords, aboutWords } from './messages/about.ts';
import type { PageAnswer, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';
import { dateTime, dayTime, duration } from './show-time.ts';

const CHART = { width: 84, height: 22 };

export async function aboutPage(context: PageContext): Promise<PageAnswer> {
  const { site, health } = context;
  const words = aboutWords(site.language);
  const report = await health.read();
  return pageAnswer(context, {
    title: words.title,
    description: words.lead(site.name),
    canonical: '/about',
    section: 'about',
    main: html`<div class="page-head"><h1>${words.heading(site.name)}</h1></div>
<div class="text">
${words.paragraphs(site.name).map(
  (text) => html`<p>${text}</p>
`,
)}</div>
<section class="part">
<h2 id="sources">${words.sources}</h2>
${report === null ? html`<p class="notice">${words.unknown}</p>` : sources(context, report, words)}
</section>`,
  });
}

const order = ['well', 'quiet', 'out', 'waiting', 'paused', 'gone'] as const;

function sources({ site }: PageContext, { at, sources: all }: HealthReport, words: AboutWords) {
  if (all.length === 0) return html`<p class="empty">${words.noSources}</p>`;
  const counts = order.map((condition) => {
    const count = all.filter((one) => one.condition === condition).length;
    return count > 0 && html`<span>${count} ${words.conditions[condition]}</span>`;
  });
  return html`<p class="meta"><span>${words.count(all.length)}</span>\
${counts}\
<span>${words.asOf} ${dateTime(site.language, at)}</span></p>
<p class="explains">${words.explains}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="sources">\
<table class="list tight stacks">
<thead><tr><th scope="col">${words.source}</th><th scope="col">${words.condition}</th>\
<th scope="col">${words.lastSuccess}</th><th scope="col">${words.newest}</th>\
<th scope="col" class="number">${words.median}</th><th scope="col" class="number">${words.p90}</th>\
<th scope="col">${words.fortnight}</th></tr></thead>
<tbody>
${all.map((source) => row(site.language, source, words))}</tbody>
</table></div>
<p class="meta spaced">${words.freshness(HEALTH_DAYS)}</p>`;
}

const tones: Partial<Record<SourceHealth['condition'], string>> = {
  well: 'positive',
  out: 'negative',
};

function row(language: 'en' | 'zh-CN', source: SourceHealth, words: AboutWords): Html {
  const { name, condition, kind, lastSuccessAt, newestItemAt, medianLagMs, p90LagMs } = source;
  const instant = (at: number | null) => (at === null ? '–' : dayTime(language, at));
  const lag = (ms: number | null) => (ms === null ? '–' : duration(language, ms));
  const total = source.daily.reduce((sum, count) => sum + count, 0);
  const label = words.chart(total, HEALTH_DAYS);
  return html`<tr><th scope="row" class="named" lang="${source.language}">${name}</th>\
<td class="${tones[condition] ?? ''}">${words.conditions[condition]}</td>\
<td data-label="${words.lastSuccess}">${
    kind === 'push' ? words.pushed : instant(lastSuccessAt)
  }</td>\
<td data-label="${words.newest}">${instant(newestItemAt)}</td>\
<td class="number" data-label="${words.median}">${lag(medianLagMs)}</td>\
<td class="number" data-label="${words.p90}">${lag(p90LagMs)}</td>\
<td class="whole">${bars(source.daily, { ...CHART, label })}</td></tr>
`;
}
