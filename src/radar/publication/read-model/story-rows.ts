// Reads the timeline with one row for each story. The newest listed report of a story is its row;
// older reports are skipped on this page and on later pages. An item without a story has its own
// row.
import { primaryLanguage } from '../../../kernel/text/primary-language.ts';
import { type StorySummary, storySummary } from '../documents/story-summary.ts';
import type { PublicItem } from '../item.ts';
import { type Anchor, anchorOf, type ItemRow } from './item-row.ts';
import { isListed, itemOf, listOf, type Mode, type ReadModel } from './read-model.ts';
import { visitSpan } from './sorted-list.ts';
import { cutoffOf, type Window } from './window.ts';

export type StoryRowQuery = {
  readonly mode: Mode;
  readonly category: string | null;
  readonly window: Window;
  /** Language of the items, `en` or `zh`; null: all languages. */
  readonly language: string | null;
  /** Ids of stories that the page shows elsewhere. */
  readonly excludedStoryIds: ReadonlySet<string>;
  /** At least 1. */
  readonly limit: number;
  readonly anchor: Anchor | null;
};

export type StoryRow = { readonly item: PublicItem; readonly story: StorySummary | null };

export type StoryRowPage = {
  readonly rows: readonly StoryRow[];
  /** Null: no further rows. */
  readonly nextAnchor: Anchor | null;
};

/** `now`: epoch milliseconds. An anchor outside of the window gives an empty page. */
export function readStoryRows(
  readModel: ReadModel,
  query: StoryRowQuery,
  now: number,
): StoryRowPage {
  const { mode, category, anchor, limit } = query;
  const rows: StoryRow[] = [];
  let lastRow: ItemRow | null = null;
  let hasMore = false;
  const span = { anchor, cutoff: cutoffOf(query.window, now) };
  visitSpan(listOf(readModel, { by: 'timeline', mode, category }), span, (row) => {
    const storyRow = rowOfItem(readModel, query, row.item);
    if (storyRow === null) return true;
    hasMore = rows.length === limit;
    if (hasMore) return false;
    rows.push(storyRow);
    lastRow = row;
    return true;
  });
  return { rows, nextAnchor: hasMore && lastRow !== null ? anchorOf('timeline', lastRow) : null };
}

/** Null: a filter excludes the item, or another row represents its story. */
function rowOfItem(readModel: ReadModel, query: StoryRowQuery, item: PublicItem): StoryRow | null {
  if (!hasLanguage(item, query.language)) return null;
  const { storyId } = item;
  if (storyId === null) return { item, story: null };
  if (query.excludedStoryIds.has(storyId)) return null;
  const story = storySummary(readModel, storyId);
  if (story === null) return { item, story: null };
  const hasNewerReport = story.reports.some(({ id }) => {
    const other = id === item.id ? null : itemOf(readModel, id);
    if (other === null || other.storyId !== storyId) return false;
    if (!isListed(other, { by: 'timeline', mode: query.mode, category: query.category })) {
      return false;
    }
    return hasLanguage(other, query.language) && isNewer(other, item);
  });
  return hasNewerReport ? null : { item, story };
}

/** The order of the list: time, then id, both descending. */
const isNewer = (a: PublicItem, b: PublicItem) =>
  a.timelineAt > b.timelineAt || (a.timelineAt === b.timelineAt && a.id > b.id);

/** `en` also covers `en-GB`. */
export const hasLanguage = (
  { language }: Pick<PublicItem, 'language'>,
  wantedLanguage: string | null,
) => wantedLanguage === null || primaryLanguage(language) === wantedLanguage;
