// `/stories/{id}`: one event. The page has its digest with sources, contradictions, revisions,
// coverage, reports, and the reasons of the grouping.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing, webAddress } from '../../../kernel/html/html.ts';
import { guessLanguage } from '../../../kernel/html/text-language.ts';
import { renderDateTime, renderShortTime } from '../../../kernel/web/format-time.ts';
import type { StoryBody, StoryReference, StoryReport } from '../../publication/documents/bodies.ts';
import { findStory } from '../../publication/documents/find-document.ts';
import { summaryOf } from '../../publication/documents/story-summary.ts';
import { itemOf } from '../../publication/read-model/read-model.ts';
import { topicTitle } from '../../publication/topic-title.ts';
import { type ReaderMessages, readerMessages } from '../messages/reader.ts';
import type { PageContext, PageRedirect, PageRequest, PageResponse } from '../page-context.ts';
import { pageResponse } from '../page-layout.ts';
import { storyImagePath } from '../pictures/share-image.ts';
import { renderSharePart } from '../share-part.ts';
import { renderTranslationMark, writtenLanguage } from '../translation-mark.ts';
import { renderAssignmentReasons } from './assignment-reasons.ts';
import { renderContradictions, renderRevisions } from './contradiction-view.ts';
import { renderCoverage } from './coverage.ts';
import { renderDigest } from './digest-view.ts';
import { renderMissingCoverage } from './missing-coverage.ts';

const ID_MAX = 128;

export async function storyPage(
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse | PageRedirect> {
  const { world, publication } = context;
  const { id = '' } = request.params;
  if (Array.from(id).length > ID_MAX) throw idTooLongFault();
  const foundStory = await findStory(world, publication, id);
  if (foundStory.kind === 'moved') return { location: `/stories/${foundStory.into}` };
  if (foundStory.kind === 'none')
    throw new Fault('not_found', 'There is no public story of that id.');
  const story = foundStory.body;
  const messages = readerMessages(context.site.language);
  return pageResponse(context, {
    title: titleOf(context, story),
    description: story.digest ?? story.latest,
    canonical: `/stories/${story.id}`,
    section: null,
    image: storyImagePath(story.id),
    scripts: ['story.js'],
    feed: `/feed/story/${story.id}`,
    main: html`<article data-page>
${renderHead(context, story)}
<div class="two">
<div>
${renderDigest(context, story)}
${renderContradictions(context, story)}
${renderRevisions(context, story)}
${renderCoverage(context, story)}
${renderReports(context, story)}
${renderAssignmentReasons(context, story)}
</div>
<aside>
${renderSources(context, story)}
${renderMissingCoverage(context, story)}
${renderLinks(story.storyline, messages.storyline, messages)}
${renderLinks(story.related, messages.related, messages)}
</aside>
</div>
</article>`,
  });
}

const idTooLongFault = () =>
  new Fault('invalid_request', 'This id is too long.', { inChinese: '这个标识太长。' });

/** The story's title in lists. */
const titleOf = ({ site }: PageContext, story: StoryBody) =>
  topicTitle(story, summaryOf(story), { language: site.language });

function renderHead(context: PageContext, story: StoryBody): Html {
  const { site } = context;
  const messages = readerMessages(site.language);
  const title = titleOf(context, story);
  return html`<header class="page-head">
<p class="label">${messages.story}</p>
<h1 lang="${guessLanguage(title)}">${title}</h1>
<p class="meta"><span>${messages.sourceCount(story.sourceCount)}</span>\
<span>${messages.reportCount(story.reportCount)}</span>\
<span>${
    story.firstReportAt !== story.latestAt &&
    html`${renderDateTime(context, story.firstReportAt)} – `
  }${renderShortTime(context, story.latestAt)}</span></p>
${renderSharePart(context, {
  path: `/stories/${story.id}`,
  title,
  publisher: site.name,
  at: story.latestAt,
  canSave: true,
})}
</header>`;
}

function renderReports(context: PageContext, story: StoryBody): Html {
  const messages = readerMessages(context.site.language);
  const otherCount = story.reportCount - story.reports.length;
  return html`<section class="day">
<h2>${messages.reports}</h2>
${groupReports(story, messages).map(
  ({ title, rows }) => html`${
    title !== null &&
    html`<h3 class="development"><span lang="${guessLanguage(title)}">${title}</span> \
<span class="meta">${messages.reportCount(rows.length)}</span></h3>`
  }<ol>
${rows.map(({ report, number }) => renderReport(context, story, report, number))}</ol>
`,
)}${story.hasMoreReports && html`<p class="meta">${messages.moreReports(otherCount)}</p>`}
</section>`;
}

type ReportGroup = {
  /** Heading of a development with several reports; null: the reports are not grouped. */
  readonly title: string | null;
  readonly rows: readonly { readonly report: StoryReport; readonly number: number }[];
};

/**
 * Groups the reports by development, when the story has several developments. Developments with one
 * report form one group. Each report keeps the number that the digest cites.
 */
function groupReports(story: StoryBody, messages: ReaderMessages): readonly ReportGroup[] {
  const rows = story.reports.map((report, index) => ({ report, number: index + 1 }));
  const developments = story.developments ?? [];
  if (developments.length < 2) return [{ title: null, rows }];
  const rowsOf = (ids: readonly string[]) => rows.filter(({ report }) => ids.includes(report.id));
  const groups = developments
    .filter(({ reportIds }) => reportIds.length > 1)
    .map(({ title, reportIds }): ReportGroup => ({ title, rows: rowsOf(reportIds) }));
  const singleIds = developments.flatMap(({ reportIds }) =>
    reportIds.length > 1 ? [] : reportIds,
  );
  const singleRows = rowsOf(singleIds);
  if (singleRows.length === 0) return groups;
  const title = groups.length === 0 ? null : messages.singleReports;
  return [...groups, { title, rows: singleRows }];
}

function renderReport(
  context: PageContext,
  story: StoryBody,
  report: StoryReport,
  number: number,
): Html {
  const messages = readerMessages(context.site.language);
  const original = webAddress(report.originalUrl);
  const item = itemOf(context.publication.readModel(), report.id);
  const copy = (story.copies ?? []).find(({ reportId }) => reportId === report.id);
  const originalSource = story.reports.find(({ id }) => id === copy?.originalId)?.sourceName;
  return html`<li class="entry numbered" data-row id="report-${report.id}">
<span class="figure" aria-hidden="true">${number}</span>
<div>
<h3 lang="${item === null ? report.language : writtenLanguage(item)}">\
<a href="/items/${report.id}">${report.title}</a></h3>
<p class="meta"><span class="name-of">${report.sourceName}</span>\
${report.firstParty && html`<span class="first-party">${messages.firstParty}</span>`}\
<span>${renderShortTime(context, report.at)}</span>\
${originalSource !== undefined && html`<span>${messages.copyOf(originalSource)}</span>`}\
${renderTranslationMark(item, messages)}\
${
  original &&
  html`<span><a href="${original}" rel="noopener">\
${messages.original} ↗</a></span>`
}</p>
${report.summary !== null && html`<p class="says" lang="${report.language}">${report.summary}</p>`}
</div>
</li>
`;
}

function renderSources(context: PageContext, story: StoryBody): Html {
  const messages = readerMessages(context.site.language);
  return html`<section>
<h2 class="side">${messages.whoCovers}</h2>
${
  story.sources.length !== story.sourceCount &&
  html`<p class="meta">${messages.countedAs(story.sourceCount)}</p>`
}
<ul class="side-list">
${story.sources.map(
  ({ name, firstParty, reportCount, firstAt }) => html`<li>${name}\
${firstParty && html` <span class="first-party">${messages.firstParty}</span>`}\
<span class="meta"><span>${messages.reportCount(reportCount)}</span>\
<span>${messages.since} ${renderShortTime(context, firstAt)}</span></span></li>
`,
)}</ul>
</section>`;
}

/** Number of linked stories that are shown; a `details` element contains the others. */
const LINKED_MAX = 8;

function renderLinks(
  stories: readonly StoryReference[],
  label: string,
  messages: ReaderMessages,
): Html {
  if (stories.length === 0) return nothing;
  const rows = stories.map(
    ({
      id,
      title,
    }) => html`<li><a href="/stories/${id}" lang="${guessLanguage(title)}">${title}</a></li>
`,
  );
  const otherLinks = rows.length - LINKED_MAX;
  return html`<section>
<h2 class="side">${label}</h2>
<ul class="side-list">
${rows.slice(0, LINKED_MAX)}</ul>${
    otherLinks > 0 &&
    html`<details class="side-list"><summary>${messages.andOthers(otherLinks)}</summary><ul>
${rows.slice(LINKED_MAX)}</ul></details>`
  }
</section>`;
}
