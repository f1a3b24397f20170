import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipAtWord } from './clip-at-word.ts';

test('what fits stays as it is', () => {
  expect(clipAtWord('A short title', 20)).toBe('A short title');
});

test('what is too long ends at a word, with an ellipsis', () => {
  expect(clipAtWord('An uncommonly long title', 16)).toBe('An uncommonly…');
  expect(clipAtWord('今天发布全新的大型语言模型', 8)).toMatch(/^今天发布.*…$/);
});

test('a clause near the end is the better end', () => {
  expect(clipAtWord('The ship has come home, they say at last', 30)).toBe(
    'The ship has come home…',
  );
});

test('never longer than asked, never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
      const clipped = clipAtWord(text, limit);
      expect(clipped.length).toBeLessThanOrEqual(limit);
      expect(clipped.isWellFormed()).toBe(true);
    }),
  );
});
