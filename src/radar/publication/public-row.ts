// Converts a public item to a database row and back.
import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import type { PublicItemRow } from '../../store/radar/publication/public-items.ts';
import { type PublicItem, publishedSortAt } from './item.ts';

const SHARED_MAX = 20_000;

/**
 * Names of sources, categories and languages repeat in thousands of rows, and the database driver
 * creates a new string for each. Sharing one string among equal texts saves three objects per item,
 * which every garbage collection would visit.
 */
const sharedTexts = openBoundedCache<string>(SHARED_MAX);

function shareText(text: string): string {
  const sharedText = sharedTexts.get(text);
  if (sharedText === undefined) sharedTexts.set(text, text);
  return sharedText ?? text;
}

export function toPublicRow(item: PublicItem): PublicItemRow {
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

export function fromPublicRow(row: PublicItemRow): PublicItem {
  return {
    id: row.id,
    title: row.title,
    originalTitle: row.original_title,
    summary: row.summary,
    sourceName: shareText(row.source_name),
    originalUrl: row.original_url,
    publishedAt: row.published_at,
    discoveredAt: row.discovered_at,
    category: row.category === null ? null : shareText(row.category),
    score: row.score,
    selected: row.selected,
    reason: row.reason,
    language: shareText(row.language),
    summaryBy: row.summary_by === 'model' ? 'model' : 'rules',
    storyId: row.story_id,
    timelineAt: row.timeline_at,
  };
}
