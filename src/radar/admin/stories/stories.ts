// The search for stories. The story with the newest report comes first.

import { html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { readSkip } from '../../../kernel/http/whole-number.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import { type ListedStory, listStories } from '../../stories/operator/list-stories.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';

const PAGE_SIZE = 50;

export async function storiesPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const q = (query.get('q') ?? '').slice(0, 200);
  const minReports = query.get('least') === '1' ? 1 : 2;
  const skip = readSkip(query);
  const foundStories = await listStories(context.db, { q, minReports, limit: PAGE_SIZE + 1, skip });
  const listedStories = foundStories.slice(0, PAGE_SIZE);
  const noneYetMessage = minReports === 1 ? messages.noStoriesYet : messages.noStoriesOfTwo;
  const emptyMessage = q === '' && skip === 0 ? noneYetMessage : messages.noStories;
  const nextPageParams = new URLSearchParams({
    q,
    least: String(minReports),
    skip: String(skip + PAGE_SIZE),
  });
  return {
    kind: 'page',
    title: messages.sections.stories,
    section: 'stories',
    main: html`${renderPageHead(messages.sections.stories, messages.storiesAbout)}
<form class="bar" role="search"><div class="grows"><label class="over" for="f-q">${messages.search}\
</label>
<input id="f-q" type="search" name="q" value="${q}"></div>
<div><label class="over" for="f-least">${messages.reports}</label>\
<select id="f-least" name="least">\
<option value="2"${minReports === 2 && html` selected`}>${messages.twoOrMore}</option>\
<option value="1"${minReports === 1 && html` selected`}>${messages.oneOrMore}</option></select>\
</div>
<button>${messages.search}</button></form>
${
  listedStories.length === 0
    ? html`<p class="empty">${emptyMessage}</p>`
    : renderTable(context, listedStories)
}
${
  foundStories.length > PAGE_SIZE &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/stories?${String(nextPageParams)}">\
${messages.older} →</a></p>`
}`,
  };
}

function renderTable(context: RadarPageContext, stories: readonly ListedStory[]) {
  const { site, world, publication } = context;
  const messages = adminMessages(site.language);
  const titleOf = (story: ListedStory) =>
    readerTitle(publication.readModel(), story, site.language);
  return renderListTable(
    [
      { label: messages.story },
      { label: messages.reports, isNumber: true },
      { label: messages.sourcesCount, isNumber: true },
      { label: messages.latest, isSelfExplanatory: true },
    ],
    stories.map((story) => [
      rowHeading(html`\
<a href="/admin/stories/${story.id}">${markLanguage(titleOf(story), site.language)}</a>\
${story.isClosed && html`<span class="meta below">${messages.closed}</span>`}`),
      story.reportCount,
      story.sourceCount,
      singleLineCell(renderDateTime({ site, world }, story.latestAt)),
    ]),
  );
}
