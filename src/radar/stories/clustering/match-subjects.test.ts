import { expect, test } from 'vitest';
import { itemFeatures } from '../../../../tests/stories/item-features.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { openTermIndex } from '../index/term-index.ts';
import { matchSubjects } from './match-subjects.ts';

const settings = { backgroundDocuments: 300, halfLifeDocuments: 20_000, rarestIn: 4000 };
const shares: Readonly<Record<string, number>> = { buys: 0.0003 };

/**
 * Clusters that join another one: [slots of the small cluster, a slot of the large one]. Each title
 * is `words@day`.
 */
function joiningOf(...titles: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const index = openTermIndex((term) => shares[term] ?? 0, settings);
  const clusters = titles.map((reports) => ({
    members: reports.map((report) => {
      const [words = '', day = '0'] = report.split('@');
      const title = words.split(' ');
      const doc = new Map(title.map((term) => [term, 1]));
      const features = itemFeatures({ title, doc, concepts: title });
      return index.add(features, Number(day) * DAY_MS);
    }),
  }));
  return matchSubjects(index, clusters).map(({ small, owner }) => [...small.members, owner]);
}

const ferries = Array.from({ length: 8 }, (_, index) => `zorvak closes word${index}`);

test('a report joins the large story that owns a word of its title', () => {
  expect(joiningOf(ferries, ['farewell zorvak'])).toEqual([[8, 0]]);
  expect(joiningOf(ferries, ['farewell zorvak', 'goodbye zorvak'])).toEqual([[8, 9, 0]]);
});

test('no report joins when the word is also usual elsewhere', () => {
  const otherTitles = Array.from({ length: 5 }, (_, index) => [`zorvak opens place${index}`]);
  expect(joiningOf(ferries, ['farewell zorvak'], ...otherTitles)).toEqual([]);
});

test('a word of general language joins nothing', () => {
  const buyers = Array.from({ length: 8 }, (_, index) => `quellen buys word${index}`);
  expect(joiningOf(buyers, ['harbour buys cranes'])).toEqual([]);
  expect(joiningOf(buyers, ['quellen harbour'])).toEqual([[8, 0]]);
});

test('a story joins only if all its titles have the word and it is at most two days away', () => {
  expect(joiningOf(ferries, ['farewell zorvak', 'goodbye harbour'])).toEqual([]);
  expect(joiningOf(ferries, ['farewell zorvak@2'])).toEqual([[8, 0]]);
  expect(joiningOf(ferries, ['farewell zorvak@3'])).toEqual([]);
});

test('a story of seven reports owns no word, and a story of four does not join by a word', () => {
  expect(joiningOf(ferries.slice(1), ['farewell zorvak'])).toEqual([]);
  const four = Array.from({ length: 4 }, (_, index) => `farewell zorvak ${index}`);
  expect(joiningOf(ferries, four)).toEqual([]);
});
