import { expect, test } from 'vitest';
import type { PublicItem } from '../publication/item.ts';
import { openMatchIndex } from './match-index.ts';
import type { NewsMatch } from './subscription.ts';

const item: PublicItem = {
  id: 'item_1',
  title: 'Chips are short',
  originalTitle: null,
  summary: null,
  sourceName: 'The press',
  originalUrl: 'https://press.example/chips',
  publishedAt: null,
  discoveredAt: 2_000,
  category: null,
  score: null,
  selected: false,
  reason: null,
  language: 'en',
  summaryBy: 'rules',
  storyId: null,
  timelineAt: 2_000,
};

const match: NewsMatch = {
  any: [],
  none: [],
  categories: [],
  sources: ['The press'],
  languages: [],
  mode: 'all',
  minScore: null,
};
const matches = (score: number | null, minScore: number | null) =>
  openMatchIndex([{ id: 'sub_1', match: { ...match, minScore }, createdAt: 1_000 }]).matching({
    ...item,
    score,
  }).length === 1;

test.each([
  [null, null, true],
  [null, 0, true],
  [null, 1, false],
  [0, 0, true],
  [59, 60, false],
  [60, 60, true],
])('an item with score %s and a minimum of %s: %s', (score, minScore, expected) => {
  expect(matches(score, minScore)).toBe(expected);
});
