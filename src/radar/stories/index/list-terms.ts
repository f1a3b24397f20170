// An item's terms as numbers, section by section; long lists are cut.
import type { ItemFeatures } from '../text/extract-features.ts';
import { type FeatureSection, packEntry, sections } from './feature-store.ts';
import type { Terms } from './terms.ts';

const maxDocTerms = 240;
const maxConcepts = 120;

export function listTerms(
  item: ItemFeatures,
  terms: Terms,
): Record<FeatureSection, readonly number[]> {
  const lists = {} as Record<FeatureSection, readonly number[]>;
  for (const name of sections) {
    lists[name] =
      name === 'doc'
        ? packDoc(item.doc, terms)
        : item[name].map((term) => packEntry(terms.intern(term), 1));
  }
  lists.concepts = lists.concepts.slice(0, maxConcepts);
  return lists;
}

/**
 * Terms of the title, then the most frequent terms; of two equally frequent terms, the earlier
 * term.
 */
function packDoc(doc: ReadonlyMap<string, number>, terms: Terms): readonly number[] {
  const entries = doc.size <= maxDocTerms ? [...doc] : [...doc].sort((a, b) => b[1] - a[1]);
  return entries.slice(0, maxDocTerms).map(([term, times]) => packEntry(terms.intern(term), times));
}
