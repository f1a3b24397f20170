// Features of an item for tests that compare items without reading texts.
import type { ItemFeatures } from '../../src/radar/stories/text/extract-features.ts';

/** An item in English without words, except for `changes`. */
export const itemFeatures = (changes: Partial<ItemFeatures>): ItemFeatures => ({
  language: ['l:en'],
  title: [],
  doc: new Map(),
  concepts: [],
  entities: [],
  opener: [],
  issueNumbers: [],
  families: [],
  versions: [],
  source: [],
  links: [],
  isHan: false,
  isRoundup: false,
  isVague: false,
  ...changes,
});
