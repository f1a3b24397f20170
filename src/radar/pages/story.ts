// `/stories/{id}`: one event. What is known, sentence by sentence with its sources; where reports
// disagree; who covered it and when; and why these reports stand together.
import { Fault } from '../../kernel/fault.ts';
import { type Html, html, nothing, webAddress } from '../../kernel/html/html.ts';
import type { StoryBody, StoryLink, StoryReport } from '../publication/documents/bodies.ts';
import { findStory } from '../publication/documents/find-document.ts';
import { coverage } from './coverage.ts';
import { pageAnswer } from './frame.ts';
import type { PageAnswer, PageAsked, PageContext, PageMoved } from './page-context.ts';
import { dateTime } from './show-time.ts';
import { whyTogether } from './why-together.ts';
import { type Words, wordsOf } from './words.ts';

const ID_MAX = 128;

export async function storyPage(
  context: PageContext,
  asked: PageAsked,
): Promise<PageAnswer | PageMoved> {
  const { world, publication } = context;
  const { id = '' } = asked.params;
  if (Array.from(id).length > ID_MAX) throw new Fault('invalid_request', 'This id is too long.');
  const found = await findStory(world, publication, id);
  if (found.kind === 'moved') return { location: `/stories/${found.into}` };
  if (found.kind === 'none') throw new Fault('not_found', 'There is no public story of that id.');
  const story = found.body;
  return pageAnswer(context, {
    title: story.title,
    description: story.digest ?? story.latest,
    canonical: `/stories/${story.id}`,
    section: null,
    main: html`<article>
${head(context, story)}
<div class="two">
<div>
${digest(context, story)}
${contradictions(context, story)}
${coverage(context, story)}
${reports(context, story)}
${whyTogether(context, story)}
</div>
<aside>
${sources(context, story)}
${links(story.storyline, wordsOf(context.site.language).storyline)}
${links(story.related, wordsOf(context.site.language).related)}
</aside>
</div>
</article>`,
  });
}

function head({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  return html`<header class="page-head">
<p class="label">${words.story}</p>
<h1 lang="${story.language}">${story.title}</h1>
<p class="meta"><span>${words.moreSources(story.sourceCount)}</span>\
<span>${words.reportCount(story.reportCount)}</span>\
<span>${dateTime(site.language, story.firstReportAt)} – ${dateTime(site.language, story.latestAt)}</span></p>
</header>`;
}

/** Each sentence is followed by the numbers of its reports, which lead to them. */
function digest({ site }: PageContext, story: StoryBody): Html {
  if (story.digest === null) return nothing;
  const words = wordsOf(site.language);
  const numbers = new Map(story.reports.map(({ id }, at) => [id, at + 1]));
  const byId = new Map(story.reports.map((report) => [report.id, report]));
  const sentences = story.claims.map(
    ({ text, reportIds }) =>
      html`<span class="claim">${text}<sup class="cites">${reportIds.map(
        (id) =>
          html`<a href="#report-${id}" title="${nameOf(byId.get(id))}">${numbers.get(id) ?? ''}</a>`,
      )}</sup></span> `,
  );
  return html`<section aria-label="${words.digest}">
<div class="text" lang="${story.language}"><p>${sentences.length > 0 ? sentences : story.digest}</p></div>
<p class="meta digest-by"><span>${words.digestBy[story.digestBy ?? 'rules']}</span>${
    story.digestUpdatedAt === null
      ? nothing
      : html`<span>${dateTime(site.language, story.digestUpdatedAt)}</span>`
  }</p>
</section>`;
}

const nameOf = (report: StoryReport | undefined) =>
  report === undefined ? '' : `${report.sourceName}: ${report.title}`;

function contradictions({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  if (story.contradictions.length === 0) return nothing;
  return html`<section aria-label="${words.disagree}">
${story.contradictions.map(
  ({ subject, statements }) => html`<div class="facing">
<h3>${words.disagree}: ${subject}</h3>
${statements.map(
  ({ value, reportId, source, at }) => html`<blockquote>
<p>${value}</p>
<p class="meta"><span><a href="#report-${reportId}">${source}</a></span>\
<span>${dateTime(site.language, at)}</span></p>
</blockquote>
`,
)}</div>
`,
)}</section>`;
}

function reports({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  return html`<section class="day">
<h2>${words.reports}</h2>
<ol>
${story.reports.map((report) => reportRow(site.language, report, words))}</ol>
${story.hasMoreReports ? html`<p class="meta">${words.moreReports(story.reportCount - story.reports.length)}</p>` : nothing}
</section>`;
}

function reportRow(language: 'en' | 'zh-CN', report: StoryReport, words: Words): Html {
  const original = webAddress(report.originalUrl);
  return html`<li class="entry wide" id="report-${report.id}">
<div>
<h3 lang="${report.language}"><a href="/items/${report.id}">${report.title}</a></h3>
<p class="meta"><span>${report.sourceName}</span>\
${report.firstParty && html`<span class="first-party">${words.firstParty}</span>`}\
<span>${dateTime(language, report.at)}</span>\
${original && html`<span><a href="${original}" rel="noopener">${words.original} ↗</a></span>`}</p>
${report.summary === null ? nothing : html`<p class="says" lang="${report.language}">${report.summary}</p>`}
</div>
</li>
`;
}

function sources({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  return html`<section>
<h2 class="side">${words.whoCovers}</h2>
<ul class="side-list">
${story.sources.map(
  ({ name, firstParty, reportCount, firstAt }) => html`<li>${name}\
${firstParty && html` <span class="first-party">${words.firstParty}</span>`}\
<span class="meta">${words.reportCount(reportCount)}, ${words.since} ${dateTime(site.language, firstAt)}</span></li>
`,
)}</ul>
</section>`;
}

function links(stories: readonly StoryLink[], label: string): Html {
  if (stories.length === 0) return nothing;
  return html`<section>
<h2 class="side">${label}</h2>
<ul class="side-list">
${stories.map(
  ({ id, title }) => html`<li><a href="/stories/${id}">${title}</a></li>
`,
)}</ul>
</section>`;
}
