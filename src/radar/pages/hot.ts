// `/hot`: the current ranking, with the sources of each topic. Heat values are internal.

import { renderBars } from '../../kernel/html/charts.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import { renderShortTime } from '../../kernel/web/format-time.ts';
import { RANKING_KEY, type RankedTopic } from '../publication/documents/bodies.ts';
import { storySummary } from '../publication/documents/story-summary.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { topicTitle } from '../publication/topic-title.ts';
import {
  type ItemLanguage,
  readLanguage,
  renderLanguageLinks,
  titleLanguage,
} from './list-filters.ts';
import { type ReaderMessages, readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';
import { pathWith } from './read-query.ts';
import { renderSourcesLine, renderStoryMarks } from './story-parts.ts';

const SPARK_SIZE = { width: 104, height: 28 };

export function hotPage(context: PageContext, request: PageRequest): PageResponse {
  const messages = readerMessages(context.site.language);
  const language = readLanguage(request);
  const ranking = documentOf(context.publication.readModel(), 'ranking', RANKING_KEY)?.body;
  const topics = (ranking?.topics ?? []).filter((topic) => isInLanguage(context, topic, language));
  return pageResponse(context, {
    title: messages.hotTitle,
    description: messages.hotAbout,
    canonical: language === null ? '/hot' : null,
    section: 'hot',
    isFiltered: true,
    feed: '/feed/hot',
    main: html`<div class="list-head"><h1>${messages.hotTitle}</h1>${
      ranking &&
      html`<p class="meta updated">${messages.rankedAt} \
${renderShortTime(context, ranking.rankedAt)}</p>`
    }</div>
<div class="filters">${renderLanguageLinks(language, messages, (linkLanguage) =>
      pathWith('/hot', { language: linkLanguage ?? 'all' }),
    )}</div>
${
  topics.length === 0
    ? html`<div class="empty"><h2>${messages.emptyTitle}</h2><p>${messages.emptyHot}</p></div>`
    : html`<ol class="ranks">
${topics.map((topic) => renderTopic(context, topic, language, messages))}</ol>`
}`,
  });
}

function isInLanguage({ publication }: PageContext, topic: RankedTopic, language: ItemLanguage) {
  if (language === null) return true;
  const story = storySummary(publication.readModel(), topic.storyId);
  return story?.reports.some((report) => report.language.startsWith(language)) ?? false;
}

function renderTopic(
  context: PageContext,
  topic: RankedTopic,
  language: ItemLanguage,
  messages: ReaderMessages,
): Html {
  const story = storySummary(context.publication.readModel(), topic.storyId);
  const wantedLanguage = { language: titleLanguage(language, context) };
  const title = topicTitle(story ?? topic, story, wantedLanguage);
  const { trend } = topic;
  // Most topics fall or stay, so only new and rising topics have a mark.
  const isTrendShown = trend === 'new' || trend === 'rising';
  return html`<li data-row>
<div>
<h2 lang="${guessLanguage(title)}"><a href="/stories/${topic.storyId}">${title}</a></h2>
<p class="meta">${renderSourcesLine(story ?? topic, messages)}\
<span>${renderShortTime(context, topic.latestAt)}</span>\
${isTrendShown && html`<span class="trend-${trend}">${messages.trends[trend]}</span>`}</p>
${renderStoryMarks(story, messages)}</div>
${renderBars(topic.spark, { ...SPARK_SIZE, label: messages.sparkLabel })}
</li>
`;
}
