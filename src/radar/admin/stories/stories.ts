// Looking for stories: those that stand, the one with the newest report first.

import { html } from '../../../kernel/html/html.ts';
import { marked } from '../../../kernel/html/text-language.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { type ListedStory, listStories } from '../../stories/operator/list-stories.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { adminWords } from '../messages/messages.ts';

const LIMIT = 50;

export async function storiesPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const words = adminWords(context.site.language);
  const q = (query.get('q') ?? '').slice(0, 200);
  const leastReports = query.get('least') === '1' ? 1 : 2;
  const skip = Math.min(100_000, Math.max(0, Math.trunc(Number(query.get('skip'))) || 0));
  const found = await listStories(context.db, { q, leastReports, limit: LIMIT + 1, skip });
  const shown = found.slice(0, LIMIT);
  const none = q === '' && skip === 0 ? words.noStoriesYet : words.noStories;
  const least = String(leastReports);
  const next = new URLSearchParams({ q, least, skip: String(skip + LIMIT) });
  return {
    kind: 'page',
    title: words.sections.stories,
    section: 'stories',
    main: html`${pageHead(words.sections.stories, words.storiesAbout)}
<form class="bar" role="search"><div class="grows"><label class="over" for="f-q">${words.search}\
</label>
<input id="f-q" type="search" name="q" value="${q}"></div>
<div><label class="over" for="f-least">${words.reports}</label><select id="f-least" name="least">\
<option value="2"${leastReports === 2 && html` selected`}>${words.twoOrMore}</option>\
<option value="1"${leastReports === 1 && html` selected`}>${words.alsoOne}</option></select></div>
<button>${words.search}</button></form>
${shown.length === 0 ? html`<p class="empty">${none}</p>` : table(context, shown)}
${
  found.length > LIMIT &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/stories?${String(next)}">${words.older} →</a></p>`
}`,
  };
}

function table({ site }: RadarPageContext, stories: readonly ListedStory[]) {
  const words = adminWords(site.language);
  return html`<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${words.story}</th>\
<th scope="col" class="number">${words.reports}</th>\
<th scope="col" class="number">${words.sourcesCount}</th>\
<th scope="col">${words.latest}</th></tr></thead><tbody>
${stories.map(
  (story) => html`<tr><th scope="row">\
<a href="/admin/stories/${story.id}">${marked(story.title, site.language)}</a>\
${story.isClosed && html`<span class="meta below">${words.closed}</span>`}</th>\
<td class="number" data-label="${words.reports}">${story.reportCount}</td>\
<td class="number" data-label="${words.sourcesCount}">${story.sourceCount}</td>\
<td class="nowrap">${dateTime(site.language, story.latestAt)}</td></tr>
`,
)}</tbody></table></div>`;
}
