import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipAtWord } from './clip-at-word.ts';

test('keeps a text that fits', () => {
  expect(clipAtWord('A short title', 20)).toBe('A short title');
});

test('ends a longer text at a word, with an ellipsis', () => {
  expect(clipAtWord('An uncommonly long title', 16)).toBe('An uncommonly…');
  expect(clipAtWord('今天发布全新的大型语言模型', 8)).toMatch(/^今天发布.*…$/);
});

test('prefers the end of a clause near the limit', () => {
  expect(clipAtWord('The ship has come home, they say at last', 30)).toBe(
    'The ship has come home…',
  );
});

test('never exceeds the limit and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
      const clipped = clipAtWord(text, limit);
      expect(clipped.length).toBeLessThanOrEqual(limit);
      expect(clipped.isWellFormed()).toBe(true);
    }),
  );
});
