// The terms by which two reports are compared.
import { expect, test } from 'vitest';
import { openTermIndex } from '../index/term-index.ts';
import type { ItemFeatures } from '../text/extract-features.ts';
import { openSimilarity } from './similarity.ts';

const settings = { backgroundDocuments: 300, halfLifeDocuments: 20_000, rarestIn: 4_000 };

/** A report with these words and one concept that both reports share. */
const featuresOf = (script: ItemFeatures['script'], word: string): ItemFeatures => ({
  script,
  title: [word],
  doc: new Map([[word, 1]]),
  concepts: ['adopt'],
  entities: [],
  opener: [],
  issueNumbers: [],
  families: [],
  versions: [],
  allFamilies: [],
  allVersions: [],
  owner: [],
  links: [],
  hasText: true,
  isRoundup: false,
  isVague: false,
});

function similarityOf(one: ItemFeatures, other: ItemFeatures): number {
  const index = openTermIndex(() => 0, settings);
  const slots = [one, other].map((features) => index.add(features, null));
  return openSimilarity(index, { halfAfterDays: 1, sameOwner: 0.6 })(slots[0] ?? 0, slots[1] ?? 0);
}

test('compares two Chinese reports by their words, and all others by concepts as well', () => {
  const [chinese, other] = [featuresOf('han', 'p:义女'), featuresOf('han', 'p:养女')];
  const english = featuresOf('latin', 'daughter');
  expect(similarityOf(chinese, other)).toBe(0);
  expect(similarityOf(chinese, english)).toBeCloseTo(0.5);
  expect(similarityOf(english, featuresOf('latin', 'girl'))).toBeCloseTo(0.5);
});
