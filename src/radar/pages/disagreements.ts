// `/disagreements`: stories of the last seven days in which sources state different figures, or a
// figure was revised.
import { type Html, html } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import { renderShortTime } from '../../kernel/web/format-time.ts';
import { type StorySummary, storySummary } from '../publication/documents/story-summary.ts';
import { newestDocuments } from '../publication/read-model/documents.ts';
import { topicTitle } from '../publication/topic-title.ts';
import {
  type ItemLanguage,
  readLanguage,
  renderLanguageLinks,
  titleLanguage,
} from './list-filters.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';
import { pathWith } from './read-query.ts';
import { renderSourcesLine, renderStoryMarks } from './story-parts.ts';

const LISTED_MAX = 60;

export function disagreementsPage(context: PageContext, request: PageRequest): PageResponse {
  const messages = readerMessages(context.site.language);
  const language = readLanguage(request);
  const stories = listDisagreements(context, language);
  return pageResponse(context, {
    title: messages.disagreements,
    description: messages.disagreementsAbout,
    canonical: language === null ? '/disagreements' : null,
    section: null,
    isFiltered: true,
    main: html`<div class="list-head"><h1>${messages.disagreements}</h1>\
<p class="meta">${messages.disagreementsAbout}</p></div>
<div class="filters">${renderLanguageLinks(language, messages, (linkLanguage) =>
      pathWith('/disagreements', { language: linkLanguage ?? 'all' }),
    )}</div>
${
  stories.length === 0
    ? html`<p class="empty">${messages.emptyDisagreements}</p>`
    : html`<ol>
${stories.map((story) => renderStory(context, story, language))}</ol>`
}`,
  });
}

const storiesByModel = new WeakMap<object, readonly StorySummary[]>();

/** Newest first. The list is cached per read model, because its computation reads every story. */
function listDisagreements(
  { publication }: PageContext,
  language: ItemLanguage,
): readonly StorySummary[] {
  const readModel = publication.readModel();
  const allStories = storiesByModel.get(readModel) ?? readDisagreements(readModel);
  storiesByModel.set(readModel, allStories);
  return allStories
    .filter(
      ({ reports }) =>
        language === null || reports.some((report) => report.language.startsWith(language)),
    )
    .slice(0, LISTED_MAX);
}

function readDisagreements(
  readModel: ReturnType<PageContext['publication']['readModel']>,
): readonly StorySummary[] {
  return newestDocuments(readModel, 'story', Number.POSITIVE_INFINITY).flatMap(({ key }) => {
    const story = storySummary(readModel, key);
    if (story === null) return [];
    return story.contradictions.length > 0 || story.revision !== null ? [story] : [];
  });
}

function renderStory(context: PageContext, story: StorySummary, language: ItemLanguage): Html {
  const messages = readerMessages(context.site.language);
  const title = topicTitle(story, story, { language: titleLanguage(language, context) });
  return html`<li class="entry wide" data-row data-story="${story.id}"><div>
<h2 lang="${guessLanguage(title)}"><a href="/stories/${story.id}">${title}</a></h2>
<p class="meta">${renderSourcesLine(story, messages)}\
<span>${renderShortTime(context, story.latestAt)}</span></p>
${renderStoryMarks(story, messages)}</div></li>
`;
}
