// `/hot`: the current ranking, with who reports each topic. How hot a topic is stays inside.

import { bars } from '../../kernel/html/charts.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { textLanguage } from '../../kernel/html/text-language.ts';
import { RANKING_KEY, type RankedTopic } from '../publication/documents/bodies.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { type Words, wordsOf } from './messages/reader.ts';
import type { PageAnswer, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';
import { dateTime, dayTime } from './show-time.ts';
import { topicTitle } from './topic-title.ts';

const NAMED = 4;
const SPARK = { width: 104, height: 28 };

export function hotPage(context: PageContext): PageAnswer {
  const words = wordsOf(context.site.language);
  const ranking = documentOf(context.publication.edition(), 'ranking', RANKING_KEY)?.body;
  const ranked = (at: number) => dateTime(context.site.language, at);
  const topics = ranking?.topics ?? [];
  return pageAnswer(context, {
    title: words.hotTitle,
    description: words.hotAbout,
    canonical: '/hot',
    section: 'hot',
    main: html`<div class="page-head"><h1>${words.hotTitle}</h1><p>${words.hotAbout}\
${ranking && html` ${words.rankedAt} ${ranked(ranking.rankedAt)}${words.stop}`}</p></div>
${
  topics.length === 0
    ? html`<div class="empty"><h2>${words.emptyTitle}</h2><p>${words.emptyHot}</p></div>`
    : html`<ol class="ranks">
${topics.map((topic) => topicRow(context, topic, words))}</ol>`
}`,
  });
}

function topicRow(context: PageContext, topic: RankedTopic, words: Words): Html {
  const { site, publication } = context;
  const story = documentOf(publication.edition(), 'story', topic.storyId)?.body;
  const title = topicTitle(topic, story?.kind === 'story' ? story : null, site);
  const { sourceNames, sourceCount, trend } = topic;
  const names = sourceNames.slice(0, NAMED).join(words.comma);
  const others = sourceNames.length - NAMED;
  return html`<li>
<div>
<h2 lang="${textLanguage(title)}"><a href="/stories/${topic.storyId}">${title}</a></h2>
<p class="meta"><span>${words.moreSources(sourceCount)}</span>\
${trend && html`<span class="trend-${trend}">${words.trends[trend]}</span>`}\
<span>${words.latestReport} ${dayTime(site.language, topic.latestAt)}</span></p>
<p class="meta">${names}${others > 0 ? html` ${words.andOthers(others)}` : nothing}</p>
</div>
${bars(topic.spark, { ...SPARK, label: words.sparkLabel })}
</li>
`;
}
