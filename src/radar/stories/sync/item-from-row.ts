// An item of the store as the engine's input: the source's own title, the longest available text,
// its links, the language found by enrichment. Equal rows give equal values after a restart.
import { plainText } from '../../../kernel/text/text.ts';
import type { StoryItemRow } from '../../../store/radar/stories/story-items.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { outboundLinks } from './outbound-links.ts';

/** `timeMs`: the item's own place in the timeline. */
export function storyItemOf(row: StoryItemRow, timeMs: number): StoryItem {
  const content = plainText(row.content);
  const article = row.article ?? '';
  const longest = article.length > content.length ? article : content;
  return {
    id: row.id,
    timeMs,
    lang: row.language,
    owner: row.owner,
    title: row.title,
    text: longest || plainText(row.summary),
    links: outboundLinks(row.canonical_url, row.content || row.summary),
  };
}
