// An item as a line of a list: time, title, who said it, one line of summary.
import { type Html, html } from '../../kernel/html/html.ts';
import type { StoryBody } from '../publication/documents/bodies.ts';
import type { PublicItem } from '../publication/item.ts';
import { wordsOf } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';
import { clockTime, dayTime } from './show-time.ts';

type Place = {
  readonly at: number;
  /** The item's story, where it is at hand: who else reports it is named on demand. */
  readonly story: StoryBody | null;
  /** In a list that has no days of its own. */
  readonly withDay?: boolean;
};

export function entry(
  { site, labels }: PageContext,
  item: PublicItem,
  { at, story: told, withDay = false }: Place,
): Html {
  const words = wordsOf(site.language);
  const story =
    told !== null && told.sourceCount > 1
      ? html`<a href="/stories/${told.id}" \
title="${told.sources.map(({ name }) => name).join(words.comma)}">\
${words.moreSources(told.sourceCount)}</a>`
      : null;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  return html`<li class="entry" data-id="${item.id}" data-at="${at}">
${withDay ? dayTime(site.language, at) : clockTime(at)}
<div>
<h3 lang="${item.language}"><a href="/items/${item.id}">${item.title}</a></h3>
<p class="meta"><span>${item.sourceName}</span>${story && html`<span>${story}</span>`}\
${category && html`<span>${category}</span>`}</p>
${item.summary !== null && html`<p class="says" lang="${item.language}">${item.summary}</p>`}
</div>
</li>
`;
}
