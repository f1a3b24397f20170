// Features of a report for tests that compare reports without reading texts.
import type { ItemFeatures } from '../../src/radar/stories/text/extract-features.ts';

/** A report in English with a text and no words, except for `changes`. */
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
  allFamilies: [],
  allVersions: [],
  source: [],
  links: [],
  isHan: false,
  hasText: true,
  isRoundup: false,
  isVague: false,
  ...changes,
});
