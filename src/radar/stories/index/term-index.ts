// The index of all live items: their features, the items of each term, and the term weights.

import type { ItemFeatures } from '../text/extract-features.ts';
import { packFeatures, type StoredFeatures, unpackFeatures } from './feature-codec.ts';
import {
  type FeatureSection,
  openFeatureStore,
  sectionAt,
  sections,
  termOf,
} from './feature-store.ts';
import { openIndexedTerms } from './indexed-terms.ts';
import { flagsOf, openItemFacts } from './item-facts.ts';
import { listTerms } from './list-terms.ts';
import { openPostings } from './postings.ts';
import { openSparseCounter } from './sparse-counter.ts';
import { openTermWeights } from './term-weights.ts';
import { openTerms, type TermSettings } from './terms.ts';
import { openTopK } from './top-k.ts';

/** Minimum weight of an indexed term. Terms in more than about an eighth of documents have less. */
const minIndexed = 2;

export type TermIndex = ReturnType<typeof openTermIndex>;

export function openTermIndex(share: (term: string) => number, settings: TermSettings) {
  const terms = openTerms(share, settings);
  const store = openFeatureStore();
  const postings = openPostings();
  const facts = openItemFacts();
  const weights = openTermWeights(terms, store);
  const indexedTerms = openIndexedTerms(store);

  const entriesOf = (slot: number, section: FeatureSection) => {
    const at = sectionAt[section];
    return store.block().subarray(store.start(slot, at), store.end(slot, at));
  };
  const index = (slot: number): void => {
    for (const term of indexedTerms(slot)) {
      if (weights.of(term) >= minIndexed) postings.add(term, slot);
    }
  };
  const setKeys = (slot: number): void => {
    const [source] = entriesOf(slot, 'source');
    // A hash stays valid after compacting, unlike the number of a term.
    const sourceHash = source === undefined ? 0 : terms.storedForm(termOf(source))[0];
    facts.setKeys(slot, entriesOf(slot, 'language')[0] ?? 0, sourceHash);
  };
  const putFeatures = ({ lists, flags }: StoredFeatures, timeMs: number | null): number => {
    const slot = store.add(lists);
    facts.put(slot, flags, timeMs);
    setKeys(slot);
    return slot;
  };
  return {
    store,
    facts,
    weights,
    counter: openSparseCounter(postings),
    /**
     * Reused heaps: the rarest terms, and the likeliest items in the item's language and others.
     */
    rankings: { rarest: openTopK(), own: openTopK(), others: openTopK() },
    /** The terms under which searches find the item. Valid until the next call. */
    indexedTerms,
    get size(): number {
      return store.size;
    },
    /** Stores an item and returns its slot. Searches do not find it until `publish`. */
    add: (features: ItemFeatures, timeMs: number | null): number =>
      putFeatures({ lists: listTerms(features, terms), flags: flagsOf(features) }, timeMs),
    /** Stores an item from the bytes of `pack`; null when they cannot be read. */
    addPacked(bytes: Uint8Array, timeMs: number | null): number | null {
      const features = unpackFeatures(bytes, terms);
      return features === null ? null : putFeatures(features, timeMs);
    },
    /** The item's features as bytes. */
    pack(slot: number): Uint8Array {
      const lists = {} as Record<FeatureSection, readonly number[]>;
      for (const name of sections) lists[name] = [...entriesOf(slot, name)];
      return packFeatures({ flags: facts.flags(slot), lists }, terms);
    },
    /** Makes searches find the item, and counts its terms as one document. */
    publish(slot: number): void {
      terms.count(indexedTerms(slot), entriesOf(slot, 'doc').length);
      weights.tick();
      index(slot);
    },
    /** The term's share of running words in general language, 0 for an unlisted term. */
    backgroundShare: terms.backgroundShare,
    terms: (slot: number, section: FeatureSection) => entriesOf(slot, section).map(termOf),
    /** Keeps only these slots (ascending) and renumbers them from 0 in this order. */
    compact(liveItems: readonly number[]): void {
      const isUsed = new Uint8Array(terms.size);
      for (const slot of liveItems) {
        for (const name of sections) {
          for (const entry of entriesOf(slot, name)) isUsed[termOf(entry)] = 1;
        }
      }
      const newNumbers = terms.compact(isUsed);
      store.compact(liveItems, (term) => newNumbers[term] ?? 0);
      facts.compact(liveItems);
      weights.renew();
      postings.clear();
      for (let slot = 0; slot < liveItems.length; slot += 1) {
        setKeys(slot);
        index(slot);
      }
    },
  };
}
