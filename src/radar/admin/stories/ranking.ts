// The current ranking with the internal heat, and the places that operators gave to stories.

import { bars } from '../../../kernel/html/charts.ts';
import { html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { RANKING_KEY, type RankedTopic } from '../../publication/documents/bodies.ts';
import { placementsOf } from '../../publication/edit-story.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import { heatOfStories } from '../../ranking/story-heat.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages } from '../messages/messages.ts';

export async function rankingPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { db, publication, site, world } = context;
  const messages = adminMessages(site.language);
  const body = documentOf(publication.readModel(), 'ranking', RANKING_KEY)?.body ?? null;
  const heat = await heatOfStories(db);
  const placed = await placementsOf(db);
  const { placements } = editingMessages(site.language);
  const topics = body?.topics ?? [];
  const titleOf = ({ storyId, title }: RankedTopic) =>
    readerTitle(publication.readModel(), { id: storyId, title }, site.language);
  const size = { width: 112, height: 24, label: messages.sparkLabel };
  return {
    kind: 'page',
    title: messages.sections.ranking,
    section: 'ranking',
    main: html`${pageHead(messages.sections.ranking, messages.rankingAbout)}
${
  body !== null &&
  html`<p class="meta">${messages.rankedAt} ${dateTime({ site, world }, body.rankedAt)}\
</p>`
}
${
  topics.length === 0
    ? html`<p class="empty">${messages.noRanking}</p>`
    : html`<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col" class="number">#</th>\
<th scope="col">${messages.story}</th><th scope="col" class="number">${messages.heat}</th>\
<th scope="col">${messages.trend}</th>\
<th scope="col" class="number">${messages.sourcesCount}</th><th scope="col">${messages.twoDays}\
</th></tr>\
</thead><tbody>
${topics.map(
  (topic, index) => html`<tr><td class="number rank">${index + 1}</td>\
<th scope="row">\
<a href="/admin/stories/${topic.storyId}">${markLanguage(titleOf(topic), site.language)}</a>${
    placed.has(topic.storyId) &&
    html` <span class="name-of">${placements[placed.get(topic.storyId) ?? 'none']}</span>`
  }
<span class="meta below">${topic.sourceNames.join(messages.comma)}</span></th>\
<td class="number" data-label="${messages.heat}">${heat.get(topic.storyId)?.toFixed(2) ?? '–'}</td>\
<td data-label="${messages.trend}">${topic.trend === null ? '–' : messages.trends[topic.trend]}\
</td>\
<td class="number" data-label="${messages.sourcesCount}">${topic.sourceCount}</td>\
<td class="whole">${bars(topic.spark, size)}</td></tr>
`,
)}</tbody></table></div>`
}`,
  };
}
