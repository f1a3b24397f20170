// The current ranking with the internal heat, and the places that operators gave to stories.

import { renderBars } from '../../../kernel/html/charts.ts';
import { html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { RANKING_KEY, type RankedTopic } from '../../publication/documents/bodies.ts';
import { readPlacements } from '../../publication/edit-story.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import { readHeatOfStories } from '../../ranking/story-heat.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages } from '../messages/messages.ts';

export async function rankingPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { db, publication, site, world } = context;
  const messages = adminMessages(site.language);
  const body = documentOf(publication.readModel(), 'ranking', RANKING_KEY)?.body ?? null;
  const heat = await readHeatOfStories(db);
  const placedStories = await readPlacements(db);
  const { placements } = editingMessages(site.language);
  const topics = body?.topics ?? [];
  const titleOf = ({ storyId, title }: RankedTopic) =>
    readerTitle(publication.readModel(), { id: storyId, title }, site.language);
  const size = { width: 112, height: 24, label: messages.sparkLabel };
  return {
    kind: 'page',
    title: messages.sections.ranking,
    section: 'ranking',
    main: html`${renderPageHead(messages.sections.ranking, messages.rankingAbout)}
${
  body !== null &&
  html`<p class="meta">${messages.rankedAt} ${renderDateTime({ site, world }, body.rankedAt)}\
</p>`
}
${
  topics.length === 0
    ? html`<p class="empty">${messages.noRanking}</p>`
    : renderListTable(
        [
          { label: '#', isNumber: true, isSelfExplanatory: true },
          { label: messages.story },
          { label: messages.heat, isNumber: true },
          { label: messages.trend },
          { label: messages.sourcesCount, isNumber: true },
          { label: messages.twoDays, isSelfExplanatory: true },
        ],
        topics.map((topic, index) => [
          { content: index + 1, className: 'rank' },
          rowHeading(html`\
<a href="/admin/stories/${topic.storyId}">${markLanguage(titleOf(topic), site.language)}</a>${
            placedStories.has(topic.storyId) &&
            html` <span class="name-of">\
${placements[placedStories.get(topic.storyId) ?? 'none']}</span>`
          }
<span class="meta below">${topic.sourceNames.join(messages.comma)}</span>`),
          heat.get(topic.storyId)?.toFixed(2) ?? '–',
          topic.trend === null ? '–' : messages.trends[topic.trend],
          topic.sourceCount,
          { content: renderBars(topic.spark, size), className: 'whole' },
        ]),
      )
}`,
  };
}
