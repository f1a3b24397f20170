// A view's terms as numbers, section by section, and of long lists what tells most.

import type { ItemView } from '../text/extract-features.ts';
import { packed, type Section, sections } from './feature-store.ts';
import type { Terms } from './terms.ts';

const mostDocTerms = 160;
const mostLeadConcepts = 40;

export function listTerms(view: ItemView, terms: Terms): Record<Section, readonly number[]> {
  const lists = {} as Record<Section, readonly number[]>;
  for (const name of sections) {
    lists[name] = name === 'doc' ? [] : view[name].map(terms.intern);
  }
  lists.doc = packDoc(view.doc, terms);
  lists.leadConcepts = mostTelling(lists.leadConcepts, terms, mostLeadConcepts);
  return lists;
}

/** The terms that tell most, by how rare each is and how often it stands there. */
function packDoc(doc: ReadonlyMap<string, number>, terms: Terms): readonly number[] {
  if (doc.size <= mostDocTerms) {
    return Array.from(doc, ([term, times]) => packed(terms.intern(term), times));
  }
  const weighed = [...doc].map(([term, times], at) => {
    const id = terms.intern(term);
    return { id, times, at, weight: terms.leadWeight(id) * (1 + Math.log(times)) };
  });
  weighed.sort((a, b) => b.weight - a.weight || a.at - b.at);
  return weighed.slice(0, mostDocTerms).map(({ id, times }) => packed(id, times));
}

function mostTelling(list: readonly number[], terms: Terms, most: number): readonly number[] {
  if (list.length <= most) return list;
  const weighed = list.map((term, at) => ({ term, at, weight: terms.leadWeight(term) }));
  weighed.sort((a, b) => b.weight - a.weight || a.at - b.at);
  return weighed.slice(0, most).map(({ term }) => term);
}
