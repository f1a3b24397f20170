// `/stories/{id}`: one event. What is known, sentence by sentence with its sources; where reports
// disagree; who covered it and when; and why these reports stand together.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing, webAddress } from '../../../kernel/html/html.ts';
import { textLanguage } from '../../../kernel/html/text-language.ts';
import type { StoryBody, StoryLink, StoryReport } from '../../publication/documents/bodies.ts';
import { findStory } from '../../publication/documents/find-document.ts';
import { type Words, wordsOf } from '../messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext, PageMoved } from '../page-context.ts';
import { pageAnswer } from '../page-layout.ts';
import { storyPicture } from '../pictures/picture.ts';
import { dateTime } from '../show-time.ts';
import { disagree } from './contradiction-view.ts';
import { coverage } from './coverage.ts';
import { told } from './digest-view.ts';
import { whyTogether } from './why-together.ts';

const ID_MAX = 128;

export async function storyPage(
  context: PageContext,
  asked: PageAsked,
): Promise<PageAnswer | PageMoved> {
  const { world, publication } = context;
  const { id = '' } = asked.params;
  if (Array.from(id).length > ID_MAX) throw idTooLong();
  const found = await findStory(world, publication, id);
  if (found.kind === 'moved') return { location: `/stories/${found.into}` };
  if (found.kind === 'none') throw new Fault('not_found', 'There is no public story of that id.');
  const story = found.body;
  return pageAnswer(context, {
    title: story.title,
    description: story.digest ?? story.latest,
    canonical: `/stories/${story.id}`,
    section: null,
    picture: storyPicture(story.id),
    scripts: ['story.js'],
    main: html`<article>
${head(context, story)}
<div class="two">
<div>
${told(context, story)}
${disagree(context, story)}
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

const idTooLong = () =>
  new Fault('invalid_request', 'This id is too long.', { inChinese: '这个标识太长。' });

function head({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  return html`<header class="page-head">
<p class="label">${words.story}</p>
<h1 lang="${story.language}">${story.title}</h1>
<p class="meta"><span>${words.moreSources(story.sourceCount)}</span>\
<span>${words.reportCount(story.reportCount)}</span>\
<span>${dateTime(site.language, story.firstReportAt)} – \
${dateTime(site.language, story.latestAt)}</span></p>
</header>`;
}

function reports({ site }: PageContext, story: StoryBody): Html {
  const words = wordsOf(site.language);
  const others = story.reportCount - story.reports.length;
  return html`<section class="day">
<h2>${words.reports}</h2>
<ol>
${story.reports.map((report, at) => reportRow(site.language, report, at + 1, words))}</ol>
${story.hasMoreReports && html`<p class="meta">${words.moreReports(others)}</p>`}
</section>`;
}

function reportRow(
  language: 'en' | 'zh-CN',
  report: StoryReport,
  number: number,
  words: Words,
): Html {
  const original = webAddress(report.originalUrl);
  return html`<li class="entry numbered" id="report-${report.id}">
<span class="figure" aria-hidden="true">${number}</span>
<div>
<h3 lang="${report.language}"><a href="/items/${report.id}">${report.title}</a></h3>
<p class="meta"><span>${report.sourceName}</span>\
${report.firstParty && html`<span class="first-party">${words.firstParty}</span>`}\
<span>${dateTime(language, report.at)}</span>\
${original && html`<span><a href="${original}" rel="noopener">${words.original} ↗</a></span>`}</p>
${report.summary !== null && html`<p class="says" lang="${report.language}">${report.summary}</p>`}
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
<span class="meta"><span>${words.reportCount(reportCount)}</span>\
<span>${words.since} ${dateTime(site.language, firstAt)}</span></span></li>
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
  ({
    id,
    title,
  }) => html`<li><a href="/stories/${id}" lang="${textLanguage(title)}">${title}</a></li>
`,
)}</ul>
</section>`;
}
