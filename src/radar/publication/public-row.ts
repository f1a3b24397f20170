// Converts a public item to a database row and back.
import type { PublicItemRow } from '../../store/radar/publication/public-items.ts';
import { type PublicItem, publishedSortAt } from './item.ts';

export function toRow(item: PublicItem): PublicItemRow {
  return {
    id: item.id,
    title: item.title,
    original_title: item.originalTitle,
    summary: item.summary,
    source_name: item.sourceName,
    original_url: item.originalUrl,
    published_at: item.publishedAt,
    discovered_at: item.discoveredAt,
    category: item.category,
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    language: item.language,
    summary_by: item.summaryBy,
    story_id: item.storyId,
    timeline_at: item.timelineAt,
    published_sort_at: publishedSortAt(item),
  };
}

export function fromRow(row: PublicItemRow): PublicItem {
  return {
    id: row.id,
    title: row.title,
    originalTitle: row.original_title,
    summary: row.summary,
    sourceName: row.source_name,
    originalUrl: row.original_url,
    publishedAt: row.published_at,
    discoveredAt: row.discovered_at,
    category: row.category,
    score: row.score,
    selected: row.selected,
    reason: row.reason,
    language: row.language,
    summaryBy: row.summary_by,
    storyId: row.story_id,
    timelineAt: row.timeline_at,
  };
}
