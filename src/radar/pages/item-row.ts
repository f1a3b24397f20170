// An item as a row of a list: time, title, source, one line of summary, and the marks of its story.
import { type Html, html } from '../../kernel/html/html.ts';
import { renderClockTime, renderShortTime } from '../../kernel/web/format-time.ts';
import { storySummary } from '../publication/documents/story-summary.ts';
import type { PublicItem } from '../publication/item.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { renderStoryMarks } from './story-parts.ts';
import { renderTranslationMark, writtenLanguage } from './translation-mark.ts';

/** `time`: `clock` for a list under a heading with the day, `short` for any other list. */
export function renderItemRow(
  context: PageContext,
  item: PublicItem,
  time: 'clock' | 'short',
): Html {
  const { site, labels, publication } = context;
  const messages = readerMessages(site.language);
  const foundSummary =
    item.storyId === null ? null : storySummary(publication.readModel(), item.storyId);
  const story = foundSummary !== null && foundSummary.reportCount > 1 ? foundSummary : null;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  return html`<li class="entry${time === 'short' && ' dated'}" data-row data-id="${item.id}" \
data-at="${item.timelineAt}">
${time === 'clock' ? renderClockTime(item.timelineAt) : renderShortTime(context, item.timelineAt)}
<div>
<h3 lang="${writtenLanguage(item)}"><a href="/items/${item.id}">${item.title}</a></h3>
<p class="meta"><span>${item.sourceName}</span>${
    story &&
    html`<span><a href="/stories/${story.id}">${messages.sourceCount(story.sourceCount)}</a></span>`
  }${category && html`<span>${category}</span>`}${renderTranslationMark(item, messages)}</p>
${
  item.summary !== null && html`<p class="says" lang="${writtenLanguage(item)}">${item.summary}</p>`
}
${renderStoryMarks(story, messages)}</div>
</li>
`;
}
