// Converts a stored item to the engine's input: the source's own title, the longest available text,
// the links, and the language that enrichment detected. The content of a post includes quoted
// posts; the article of a post is the page to which the post links. Equal rows give equal values
// after a restart.
import { plainText } from '../../../kernel/text/text.ts';
import type { StoryItemRow } from '../../../store/radar/stories/story-items.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { outboundLinks } from './outbound-links.ts';

/**
 * The time with which a report is compared: its publication, also when the item was pushed days
 * later. The time of discovery replaces a time of publication that is unknown or later than the
 * discovery.
 */
export const reportTimeOf = ({
  published_at: published,
  discovered_at: discovered,
}: Pick<StoryItemRow, 'published_at' | 'discovered_at'>): number =>
  published === null || published > discovered ? discovered : published;

/** `timeMs`: the time with which the item was or will be assigned. */
export function storyItemOf(row: StoryItemRow, timeMs: number): StoryItem {
  const texts = [row.article ?? '', plainText(row.content), plainText(row.summary)];
  return {
    id: row.id,
    timeMs,
    lang: row.language,
    source: row.source_id,
    title: row.title,
    text: texts.reduce((longest, text) => (text.length > longest.length ? text : longest)),
    links: outboundLinks(row.canonical_url, row.content || row.summary),
  };
}
