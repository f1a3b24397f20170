// An item as a row of a list: time, title, source, one line of summary, and the marks of its story.
import { type Html, html } from '../../kernel/html/html.ts';
import { renderClockTime, renderShortTime } from '../../kernel/web/format-time.ts';
import { storySummary } from '../publication/documents/story-summary.ts';
import type { PublicItem } from '../publication/item.ts';
import { messagesOf } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { storyMarks } from './story-parts.ts';
import { translationMark, writtenLanguage } from './translation-mark.ts';

/** `time`: `clock` below a heading that names the day, `short` elsewhere. */
export function itemRow(context: PageContext, item: PublicItem, time: 'clock' | 'short'): Html {
  const { site, labels, publication } = context;
  const messages = messagesOf(site.language);
  const found = item.storyId === null ? null : storySummary(publication.readModel(), item.storyId);
  const story = found !== null && found.reportCount > 1 ? found : null;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  return html`<li class="entry${time === 'short' && ' dated'}" data-row data-id="${item.id}" \
data-at="${item.timelineAt}">
${time === 'clock' ? renderClockTime(item.timelineAt) : renderShortTime(context, item.timelineAt)}
<div>
<h3 lang="${writtenLanguage(item)}"><a href="/items/${item.id}">${item.title}</a></h3>
<p class="meta"><span>${item.sourceName}</span>${
    story &&
    html`<span><a href="/stories/${story.id}">${messages.sourceCount(story.sourceCount)}</a></span>`
  }${category && html`<span>${category}</span>`}${translationMark(item, messages)}</p>
${
  item.summary !== null && html`<p class="says" lang="${writtenLanguage(item)}">${item.summary}</p>`
}
${storyMarks(story, messages)}</div>
</li>
`;
}
