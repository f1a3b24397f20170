import { expect, test } from 'vitest';
import { breakLines, measureBy } from './break-lines.ts';

/** Every Latin letter is half as wide as it is high. */
const measure = measureBy(new Array(352).fill(500));
const linesOf = (text: string, width: number, max = 9) => breakLines(text, { width, max }, measure);

test('breaks Latin text between words, and folds white space', () => {
  expect(linesOf('the quick  brown\nfox', 5)).toEqual(['the quick', 'brown fox']);
});

test('breaks Chinese text anywhere, but not before a comma or after an opening bracket', () => {
  expect(linesOf('墨渡影像今天发布模型', 5)).toEqual(['墨渡影像今', '天发布模型']);
  expect(linesOf('墨渡影像今，天发布', 5)).toEqual(['墨渡影像', '今，天发布']);
  expect(linesOf('墨渡影像《天发布》', 5)).toEqual(['墨渡影像', '《天发布》']);
});

test('does not break a Latin name within Chinese text', () => {
  expect(linesOf('发布Marlstone模型', 5)).toEqual(['发布', 'Marlstone', '模型']);
});

test('breaks a word that is wider than the line', () => {
  expect(linesOf('abcdefgh', 2)).toEqual(['abcd', 'efgh']);
});

test('ends a text that does not fit with an ellipsis within the width', () => {
  expect(linesOf('one two three four', 4, 2)).toEqual(['one two', 'three…']);
  expect(measure(linesOf('字'.repeat(50), 6, 2)[1] ?? '')).toBeLessThanOrEqual(6);
});

test('returns no line for an empty text', () => {
  expect(linesOf('  ', 5)).toEqual([]);
});
