// An item of the store as the engine's input: the source's own title, the longest available text,
// its links, the language found by enrichment. A quotation is part of a post’s content, and the
// page at its address is its article. Equal rows give equal values after a restart.
import { plainText } from '../../../kernel/text/text.ts';
import type { StoryItemRow } from '../../../store/radar/stories/story-items.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { outboundLinks } from './outbound-links.ts';

/**
 * The time at which a report is compared: its publication, also when it was pushed days later. The
 * time of discovery replaces an unknown time of publication and one in the future.
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
