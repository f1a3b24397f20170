// The terms by which two reports are compared.
import { expect, test } from 'vitest';
import { itemFeatures } from '../../../../tests/stories/item-features.ts';
import { inTitle } from '../index/feature-store.ts';
import { openTermIndex } from '../index/term-index.ts';
import type { ItemFeatures } from '../text/extract-features.ts';
import { openSimilarity } from './similarity.ts';

const settings = { backgroundDocuments: 300, halfLifeDocuments: 20_000, rarestIn: 4_000 };

/** A report with these words and a concept that all reports share. */
const report = (language: string, words: readonly string[]): ItemFeatures =>
  itemFeatures({
    language: [`l:${language}`],
    isHan: language === 'han',
    title: words,
    doc: new Map(words.map((word) => [word, 1])),
    concepts: ['adopt'],
  });

function similarityOf(first: ItemFeatures, second: ItemFeatures): number {
  const index = openTermIndex(() => 0, settings);
  const slots = [first, second].map((features) => index.add(features, null));
  const similarity = openSimilarity(index, 1);
  return similarity(slots[0] ?? 0, slots[1] ?? 0);
}

test('compares reports in two languages by concepts, and two Chinese reports by words', () => {
  const [chinese, other] = [report('han', ['p:义女']), report('han', ['p:养女'])];
  expect(similarityOf(chinese, other)).toBe(0);
  expect(similarityOf(chinese, report('en', ['daughter']))).toBeCloseTo(0.875);
});

test('two reports in one language with a single shared word are not similar', () => {
  const carved = report('en', ['sculptor', 'whale', 'driftwood']);
  const found = report('en', ['skeleton', 'whale', 'road']);
  expect(similarityOf(carved, found)).toBe(0);
  expect(similarityOf(carved, { ...found, links: ['https://a.example/'] })).toBe(0);
  const links = ['https://a.example/'];
  expect(similarityOf({ ...carved, links }, { ...found, links })).toBeGreaterThan(0.2);
  expect(similarityOf(carved, report('en', ['sculptor', 'whale']))).toBeGreaterThan(0.5);
});

test('a single shared name makes reports similar only if they are in two languages', () => {
  const spanish = report('es', ['quirarte', 'anunció', 'retiro']);
  expect(similarityOf(report('en', ['quirarte', 'retires', 'sport']), spanish)).toBeGreaterThan(
    0.5,
  );
  expect(similarityOf(report('es', ['quirarte', 'gana', 'oro']), spanish)).toBe(0);
});

test('a word of the title has more weight than one of the text', () => {
  const reportTitled = (titleWords: readonly string[]): ItemFeatures => {
    const words = ['ferry', 'sinks', 'harbour', 'night', 'rain', 'quay'];
    const doc = words.map((word) => [word, titleWords.includes(word) ? inTitle : 1] as const);
    return { ...report('en', titleWords), doc: new Map(doc) };
  };
  const ferry = reportTitled(['ferry', 'sinks']);
  expect(similarityOf(ferry, ferry)).toBeCloseTo(1);
  // The cosine of words is 14/22, and the cosine of names is 1.
  expect(similarityOf(ferry, reportTitled(['rain', 'quay']))).toBeCloseTo((14 / 22 + 1) / 2);
});
