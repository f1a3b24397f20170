// Features of a report for tests that compare reports without reading texts.
import type { ItemFeatures } from '../../src/radar/stories/text/extract-features.ts';

/** A report in English without words, except for `changes`. */
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
