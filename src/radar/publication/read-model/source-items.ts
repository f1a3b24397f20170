// Counts the items of the last seven days by source, and lists those of one source. Counts are
// cached per read model.
import type { PublicItem } from '../item.ts';
import { listOf, type ReadModel } from './read-model.ts';
import { visitSpan } from './sorted-list.ts';
import { cutoffOf } from './window.ts';

type SourceCounts = ReadonlyMap<string, number>;

const countsByModel = new WeakMap<ReadModel, Map<string, SourceCounts>>();

/** The number of items of a category in seven days, by source name. */
export function countItemsBySource(
  readModel: ReadModel,
  category: string,
  now: number,
): SourceCounts {
  const countsByCategory = countsByModel.get(readModel) ?? new Map<string, SourceCounts>();
  countsByModel.set(readModel, countsByCategory);
  const cached = countsByCategory.get(category);
  if (cached !== undefined) return cached;
  const counts = new Map<string, number>();
  const span = { anchor: null, cutoff: cutoffOf('7d', now) };
  visitSpan(listOf(readModel, { by: 'timeline', mode: 'all', category }), span, ({ item }) => {
    counts.set(item.sourceName, (counts.get(item.sourceName) ?? 0) + 1);
    return true;
  });
  countsByCategory.set(category, counts);
  return counts;
}

/** Items of a source in seven days, newest first, at most `limit`. */
export function listSourceItems(
  readModel: ReadModel,
  sourceName: string,
  limit: number,
  now: number,
): readonly PublicItem[] {
  const items: PublicItem[] = [];
  const span = { anchor: null, cutoff: cutoffOf('7d', now) };
  const list = listOf(readModel, { by: 'timeline', mode: 'all', category: null });
  visitSpan(list, span, ({ item }) => {
    if (item.sourceName === sourceName) items.push(item);
    return items.length < limit;
  });
  return items;
}
